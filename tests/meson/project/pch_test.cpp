int main() { return fromHeader(); }

int linked();

int main() { return linked(); }

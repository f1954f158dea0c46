int part();
int member();

int main() { return part() + member(); }

int add(int a, int b);
int negated(int a);

int minus(int a, int b);
int shared();

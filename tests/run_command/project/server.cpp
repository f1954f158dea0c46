// Stands for something that has to be there while others run.
int main() { return 0; }

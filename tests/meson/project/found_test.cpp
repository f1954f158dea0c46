int main() {
#ifdef EXTRA
  return 1;
#else
  return 0;
#endif
}

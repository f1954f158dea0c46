extern "C" int hidden() { return 0; }

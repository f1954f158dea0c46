extern "C" int inPlugin() { return 1; }

extern "C" int inPlugin() { return 3; }

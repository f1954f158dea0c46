extern "C" int inPlugin() { return 3; }
extern "C" int inChildsPlugin() { return 4; }

#include "untold_plugin.h"
extern "C" int plugin() { return value(); }

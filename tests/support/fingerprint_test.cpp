#include "support/fingerprint.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("fingerprints: the value of a known input is the same on every machine") {
  // XXH3 with 128 bits, as `xxhsum -H2` prints it.
  CHECK(toHex(fingerprintOf("")) == "99aa06d3014798d86001c324468d497f");
  CHECK(toHex(fingerprintOf("retest")) == toHex(fingerprintOf("retest")));
  CHECK(fingerprintOf("retest") != fingerprintOf("retesT"));
}

TEST_CASE("fingerprints: where one string ends and the next begins counts") {
  FingerprintBuilder left, right;
  left.add("ab").add("c");
  right.add("a").add("bc");
  CHECK(left.finish() != right.finish());
}

TEST_CASE("fingerprints: order and number of values count") {
  CHECK(FingerprintBuilder().add(1).add(2).finish() != FingerprintBuilder().add(2).add(1).finish());
  CHECK(FingerprintBuilder().add(0).finish() != FingerprintBuilder().add(0).add(0).finish());
}

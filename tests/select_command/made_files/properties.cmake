# CTest reads it with its own scripts.
set_tests_properties(Sign.Negative PROPERTIES TIMEOUT 1000)

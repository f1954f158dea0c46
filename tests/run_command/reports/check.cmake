file(READ ${FILE} text)
if(NOT text MATCHES "value 1")
  message(FATAL_ERROR "no value")
endif()

#include "number_text.h"

#include <charconv>

size_t pa_shortest_f64(double value, char to[PA_SHORTEST_SIZE]) {
  return std::to_chars(to, to + PA_SHORTEST_SIZE, value, std::chars_format::scientific).ptr - to;
}

size_t pa_shortest_f32(float value, char to[PA_SHORTEST_SIZE]) {
  return std::to_chars(to, to + PA_SHORTEST_SIZE, value, std::chars_format::scientific).ptr - to;
}

size_t pa_rounded_f64(double value, char style, int precision, char *to, size_t size) {
  auto format = style == 'e' ? std::chars_format::scientific : std::chars_format::fixed;
  auto written = std::to_chars(to, to + size, value, format, precision);
  return written.ec == std::errc() ? written.ptr - to : 0;
}

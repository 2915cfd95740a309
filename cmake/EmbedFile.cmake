# cmake -DINPUT=<file> -DOUTPUT=<file.c> -DNAME=<identifier> -DHEADER=<header> -P EmbedFile.cmake: the bytes of a file as
# `const unsigned char NAME[]` and `const size_t NAME_size`, which HEADER declares.
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\nconst unsigned char ${NAME}[] = {\n${bytes}0};\n"
                     "const size_t ${NAME}_size = ${size};\n")

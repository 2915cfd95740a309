// RUN: split-file %s %t
// RUN: not pyarray-opt %t/extent.mlir 2>&1 | FileCheck --check-prefix=EXTENT %s
// RUN: not pyarray-opt %t/beyond.mlir 2>&1 | FileCheck --check-prefix=BEYOND %s
// RUN: not pyarray-opt %t/large.mlir 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: not pyarray-opt %t/layout.mlir 2>&1 | FileCheck --check-prefix=LAYOUT %s
// RUN: not pyarray-opt %t/tag.mlir 2>&1 | FileCheck --check-prefix=TAG %s
// RUN: not pyarray-opt %t/bytes.mlir 2>&1 | FileCheck --check-prefix=BYTES %s

//--- extent.mlir
// EXTENT: views bytes, whose last extent is known
func.func @f(%a: !pyarray.array<?xui8, C>) {
  %0 = pyarray.field %a at 0 : !pyarray.array<?xui8, C> -> !pyarray.array<f64, C>
  return
}

//--- beyond.mlir
// BEYOND: cannot view
func.func @f(%a: !pyarray.array<?x16xui8, C>) {
  %0 = pyarray.field %a at 17 : !pyarray.array<?x16xui8, C> -> !pyarray.array<?xf64, A>
  return
}

//--- large.mlir
// LARGE: cannot view
func.func @f(%a: !pyarray.array<?x16xui8, C>) {
  %0 = pyarray.field %a at 8 shape [3, 3] : !pyarray.array<?x16xui8, C> -> !pyarray.array<?x?x?xui8, A>
  return
}

//--- layout.mlir
// LAYOUT: cannot view
func.func @f(%a: !pyarray.array<?x16xui8, C>) {
  %0 = pyarray.field %a at 8 : !pyarray.array<?x16xui8, C> -> !pyarray.array<?xf64, C>
  return
}

//--- tag.mlir
// TAG: invalid type code of an item "{16,x@9:d}"
func.func private @f(!pyarray.tagged<"record", "{16,x@9:d}", !pyarray.array<16xui8, C>>)

//--- bytes.mlir
// BYTES: items of 16 bytes are represented by an array of ui8 with that last extent
func.func private @f(!pyarray.tagged<"record", "{16,x@8:d}", !pyarray.array<8xui8, C>>)

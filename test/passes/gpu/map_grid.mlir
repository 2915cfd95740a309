// RUN: pyarray-opt %s --allow-unregistered-dialect --pyarray-map-grid --split-input-file | FileCheck %s
// RUN: pyarray-opt %s --allow-unregistered-dialect --pyarray-map-grid --split-input-file | pyarray-opt --allow-unregistered-dialect --split-input-file
// RUN: pyarray-opt %s --allow-unregistered-dialect --pyarray-map-grid --pyarray-map-grid --split-input-file | FileCheck %s

// Along one dimension, a block has a tile of points: two rows of four contiguous float32 for each thread, loaded at once, where all
// pointers are aligned and the tile is whole; else one by one.
// CHECK-LABEL: func.func @contiguous
// CHECK-SAME:  (%[[N:.*]]: index, %[[A:.*]]: f32, %[[X:.*]]: memref<?xf32, strided<[1], offset: ?>>, %[[O:.*]]: memref
// CHECK-SAME:  attributes {pyarray.points = 8 : i64}
// CHECK:       %[[BLOCK:.*]] = gpu.block_id x
// CHECK:       %[[SIZE:.*]] = gpu.block_dim x
// CHECK:       %[[LANE:.*]] = gpu.thread_id x
// CHECK:       %[[XBITS:.*]] = llvm.ptrtoint
// CHECK:       arith.andi %[[XBITS]], %c15
// CHECK:       %[[ALIGNED:.*]] = arith.cmpi eq
// CHECK:       %[[ROW:.*]] = arith.muli %[[SIZE]], %c4
// CHECK:       %[[TILE:.*]] = arith.muli %[[ROW]], %c2
// CHECK:       %[[FIRST:.*]] = arith.muli %[[BLOCK]], %[[TILE]]
// CHECK:       %[[BELOW:.*]] = arith.cmpi slt, %[[FIRST]], %[[N]]
// CHECK:       scf.if %[[BELOW]] {
// CHECK:         %[[END:.*]] = arith.addi %[[FIRST]], %[[TILE]]
// CHECK:         %[[WHOLE:.*]] = arith.cmpi sle, %[[END]], %[[N]]
// CHECK:         %[[FITS:.*]] = arith.andi %[[ALIGNED]], %[[WHOLE]]
// CHECK:         scf.if %[[FITS]] {
// CHECK:           %[[POINTS:.*]] = arith.muli %[[LANE]], %c4
// CHECK:           arith.addi %[[FIRST]], %[[POINTS]]
// CHECK-COUNT-2:   llvm.load %{{.*}} {alignment = 16 : i64, pyarray.streaming} : !llvm.ptr -> vector<4xf32>
// CHECK:           %[[E:.*]] = llvm.extractelement
// CHECK:           %[[M:.*]] = arith.mulf %[[A]], %[[E]]
// CHECK:           llvm.insertelement %[[M]]
// CHECK-COUNT-3:   arith.mulf
// CHECK:           llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64, pyarray.streaming} : vector<4xf32>, !llvm.ptr
// CHECK-COUNT-4:   arith.mulf
// CHECK-NOT:       arith.mulf
// CHECK:           llvm.store
// CHECK:         } else {
// CHECK:           %[[ONE:.*]] = arith.addi %[[FIRST]], %[[LANE]]
// CHECK:           %[[STOP:.*]] = arith.minsi %[[END]], %[[N]]
// CHECK:           scf.for %[[I:.*]] = %[[ONE]] to %[[STOP]] step %[[SIZE]] {
// CHECK:             %[[E:.*]] = memref.load %[[X]][%[[I]]]
// CHECK:             %[[M:.*]] = arith.mulf %[[A]], %[[E]]
// CHECK:             memref.store %[[M]], %[[O]][%[[I]]]
// CHECK-NOT:   scf.parallel
func.func @contiguous(%n: index, %a: f32, %x: memref<?xf32, strided<[1], offset: ?>>, %o: memref<?xf32, strided<[1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %e = memref.load %x[%i] : memref<?xf32, strided<[1], offset: ?>>
    %m = arith.mulf %a, %e : f32
    memref.store %m, %o[%i] : memref<?xf32, strided<[1], offset: ?>>
    scf.reduce
  } {pyarray.grid}
  return
}

// -----

// Operations with regions are copied with what they use.
// CHECK-LABEL: func.func @regions
// CHECK:         %[[V:.*]] = llvm.load {{.*}} -> vector<2xf64>
// CHECK-COUNT-2: scf.if
// CHECK-NOT:     scf.if
// CHECK:         llvm.store
// CHECK:       scf.for
func.func @regions(%n: index, %x: memref<?xf64, strided<[1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %e = memref.load %x[%i] : memref<?xf64, strided<[1], offset: ?>>
    %p = "test.is_positive"(%e) : (f64) -> i1
    %r = scf.if %p -> f64 {
      %s = arith.addf %e, %e : f64
      scf.yield %s : f64
    } else {
      scf.yield %e : f64
    }
    memref.store %r, %x[%i] : memref<?xf64, strided<[1], offset: ?>>
    scf.reduce
  } {pyarray.grid}
  return
}

// -----

// The narrowest operand decides how many points a thread takes, up to 32 bytes of the widest; complex numbers are two parts.
// CHECK-LABEL: func.func @mixed
// CHECK:       arith.andi %{{.*}}, %c3
// CHECK:       arith.andi %{{.*}}, %c15
// CHECK:       llvm.load {{.*}} {alignment = 4 : i64, pyarray.streaming} : !llvm.ptr -> vector<4xi8>
// CHECK:       complex.create
// CHECK-COUNT-4: complex.im
// CHECK-NOT:   complex.im
// CHECK:       llvm.store {{.*}} {alignment = 16 : i64, pyarray.streaming} : vector<8xf32>, !llvm.ptr
func.func @mixed(%n: index, %x: memref<?xi8, strided<[1], offset: ?>>, %o: memref<?xcomplex<f32>, strided<[1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %e = memref.load %x[%i] : memref<?xi8, strided<[1], offset: ?>>
    %f = arith.sitofp %e : i8 to f32
    %z = complex.create %f, %f : complex<f32>
    memref.store %z, %o[%i] : memref<?xcomplex<f32>, strided<[1], offset: ?>>
    scf.reduce
  } {pyarray.grid}
  return
}

// -----

// A body of several functions of math is not copied for all points: those of a group of 8 bytes have their copies, in a loop over 8 groups. Where
// operands are not aligned, and at the end, the first copy does one point, and what is loaded and stored is one element.
// CHECK-LABEL: func.func @costly
// CHECK-SAME:  attributes {pyarray.points = 16 : i64, pyarray.registers = 40 : i64}
// CHECK:       scf.if
// CHECK:         %[[LAST:.*]] = arith.minsi
// CHECK:         %[[POINTS:.*]] = arith.select %[[FITS:.*]], %c2{{.*}}, %c1
// CHECK:         %[[DISTANCE:.*]] = arith.muli %block_dim_x, %[[POINTS]]
// CHECK:         scf.for %{{.*}} = %{{.*}} to %[[LAST]] step %[[DISTANCE]] iter_args(%[[WAS:[^ ]*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<2xf32>, vector<2xf32>) {
// CHECK:           scf.if %[[FITS]] -> (vector<2xf32>, vector<2xf32>) {
// CHECK:             llvm.intr.masked.load %{{.*}}, %{{.*}}, %[[WAS]] {alignment = 8 : i32, pyarray.streaming} : (!llvm.ptr, vector<2xi1>, vector<2xf32>) -> vector<2xf32>
// CHECK:           } else {
// CHECK:             llvm.intr.masked.load {{.*}} {alignment = 4 : i32, pyarray.streaming} : (!llvm.ptr, vector<1xi1>, vector<1xf32>) -> vector<1xf32>
// CHECK-COUNT-2:   math.exp
// CHECK:           scf.if %[[FITS]] -> (vector<2xf32>, vector<2xf32>) {
// CHECK-COUNT-2:     math.exp
// CHECK:           scf.if %[[FITS]] {
// CHECK:             llvm.store {{.*}} {alignment = 8 : i64, pyarray.streaming} : vector<2xf32>, !llvm.ptr
// CHECK:           } else {
// CHECK:             llvm.store {{.*}} {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK:         } {loop_annotation = #{{.*}}}
// CHECK-NOT:     math.exp
// CHECK:       return
func.func @costly(%n: index, %x: memref<?xf32, strided<[1], offset: ?>>, %o: memref<?xf32, strided<[1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %e = memref.load %x[%i] : memref<?xf32, strided<[1], offset: ?>>
    %w = arith.extf %e : f32 to f64
    %a = math.exp %w : f64
    %b = math.exp %a : f64
    %r = arith.truncf %b : f64 to f32
    memref.store %r, %o[%i] : memref<?xf32, strided<[1], offset: ?>>
    scf.reduce
  } {pyarray.grid}
  return
}

// -----

// A read behind a write may see it: no vectors. The same where nothing is contiguous.
// CHECK-LABEL: func.func @dependent
// CHECK-NOT:   vector
// CHECK-NOT:   scf.for
// CHECK:       scf.if
// CHECK-LABEL: func.func @strided
// CHECK-NOT:   vector
// CHECK-NOT:   scf.for
// CHECK:       scf.if
func.func @dependent(%n: index, %v: f32, %x: memref<?xf32, strided<[1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32, strided<[1], offset: ?>>
    %e = memref.load %x[%i] : memref<?xf32, strided<[1], offset: ?>>
    "test.use"(%e) : (f32) -> ()
    scf.reduce
  } {pyarray.grid}
  return
}
func.func @strided(%n: index, %v: f32, %x: memref<?xf32, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32, strided<[?], offset: ?>>
    scf.reduce
  } {pyarray.grid}
  return
}

// -----

// Points of several dimensions are numbered, in 32 bits where the numbers fit.
// CHECK-LABEL: func.func @space
// CHECK-SAME:  (%[[M:.*]]: index, %[[N:.*]]: index,
// CHECK:       %[[TOTAL:.*]] = arith.muli %[[M]], %[[N]]
// CHECK:       %[[BEYOND:.*]] = arith.addi %[[TOTAL]], %{{.*}}
// CHECK:       %[[NARROW:.*]] = arith.cmpi sle, %[[BEYOND]], %c2147483647
// CHECK:       scf.if %[[NARROW]] {
// CHECK:         %[[N32:.*]] = arith.index_cast %[[N]] : index to i32
// CHECK:         scf.for %[[P:.*]] = %{{.*}} : i32 {
// CHECK:           %[[I:.*]] = arith.divui %[[P]], %[[N32]] : i32
// CHECK:           %[[S:.*]] = arith.muli %[[I]], %[[N32]] : i32
// CHECK:           %[[J:.*]] = arith.subi %[[P]], %[[S]] : i32
// CHECK:           %[[JX:.*]] = arith.index_cast %[[J]] : i32 to index
// CHECK:           %[[IX:.*]] = arith.index_cast %[[I]] : i32 to index
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[IX]], %[[JX]]]
// CHECK:       } else {
// CHECK:         scf.for
// CHECK:           %[[I:.*]] = arith.divui %{{.*}}, %[[N]] : index
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[I]], %{{.*}}]
func.func @space(%m: index, %n: index, %v: f32, %x: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    memref.store %v, %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    scf.reduce
  } {pyarray.grid}
  return
}

// -----

// Rows that are contiguous and aligned, of a multiple of four points, are accessed by vectors; that is seen at run time.
// CHECK-LABEL: func.func @rows
// CHECK:       %[[D:.*]] = builtin.unrealized_conversion_cast
// CHECK:       %[[OUTER:.*]] = llvm.extractvalue %[[D]][4, 0]
// CHECK:       %[[INNER:.*]] = llvm.extractvalue %[[D]][4, 1]
// CHECK:       arith.andi %[[OUTER]], %c3
// CHECK:       arith.xori %[[INNER]], %c1
// CHECK:       scf.if
// CHECK:         scf.for
// CHECK:           arith.divui {{.*}} : i32
// CHECK:           %[[V:.*]] = llvm.load {{.*}} {alignment = 16 : i64, pyarray.streaming} : !llvm.ptr -> vector<4xf32>
// CHECK-COUNT-4:   arith.negf
// CHECK-NOT:       arith.negf
// CHECK:           llvm.store
// CHECK:       } else {
// CHECK:         scf.if
// CHECK:           memref.load
// CHECK:         } else {
// CHECK:           memref.load
func.func @rows(%m: index, %n: index, %x: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %e = memref.load %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %s = arith.negf %e : f32
    memref.store %s, %x[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    scf.reduce
  } {pyarray.grid}
  return
}

// -----

// A point with a loop is work enough for a thread.
// CHECK-LABEL: func.func @loops
// CHECK-NOT:   vector
// CHECK:       return
func.func @loops(%n: index, %x: memref<?xf32, strided<[1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %e = memref.load %x[%i] : memref<?xf32, strided<[1], offset: ?>>
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%a = %e) -> f32 {
      %b = arith.mulf %a, %a : f32
      scf.yield %b : f32
    }
    memref.store %s, %x[%i] : memref<?xf32, strided<[1], offset: ?>>
    scf.reduce
  } {pyarray.grid}
  return
}

// -----

// Other loops stay.
// CHECK-LABEL: func.func @other
// CHECK-NOT:   gpu
// CHECK:       scf.parallel
func.func @other(%n: index, %v: f32, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

// -----

// With pyarray.numbers an input may be a number: then its first extent is 0, and its bits are in place of the address.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME:  (%[[N:.*]]: index, %[[X:.*]]: memref<{{.*}}>, %[[O:.*]]: memref<{{.*}}>)
// CHECK:       %[[EXTENT:.*]] = llvm.extractvalue %{{.*}}[3, 0]
// CHECK:       %[[BITS:.*]] = llvm.ptrtoint
// CHECK:       %[[WORD:.*]] = arith.trunci %[[BITS]] : i64 to i32
// CHECK:       %[[NUMBER:.*]] = arith.bitcast %[[WORD]] : i32 to f32
// CHECK:       %[[IS:.*]] = arith.cmpi eq, %[[EXTENT]], %c0_i64
// CHECK:       arith.select %[[IS]]
// CHECK:       scf.if
// CHECK:         %[[VECTORS:.*]]:2 = scf.if %[[IS]] -> (vector<4xf32>, vector<4xf32>) {
// CHECK-COUNT-4:   llvm.insertelement %[[NUMBER]]
// CHECK-NOT:       llvm.insertelement
// CHECK:         } else {
// CHECK-COUNT-2:   llvm.load {{.*}} -> vector<4xf32>
// CHECK:         }
// CHECK:       } else {
// CHECK:         %[[E:.*]] = scf.if %[[IS]] -> (f32) {
// CHECK-NEXT:      scf.yield %[[NUMBER]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      memref.load %[[X]]
func.func @numbers(%n: index, %x: memref<?xf32, strided<[1], offset: ?>>, %o: memref<?xf32, strided<[1], offset: ?>>) attributes {pyarray.numbers} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %e = memref.load %x[%i] : memref<?xf32, strided<[1], offset: ?>>
    %m = arith.mulf %e, %e : f32
    memref.store %m, %o[%i] : memref<?xf32, strided<[1], offset: ?>>
    scf.reduce
  } {pyarray.grid}
  return
}

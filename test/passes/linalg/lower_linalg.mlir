// RUN: pyarray-opt %s --pyarray-lower-linalg | FileCheck %s
// RUN: pyarray-opt %s --pyarray-lower-linalg | pyarray-opt

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#id2 = affine_map<(i, j) -> (i, j)>
!A = memref<?xf64, strided<[?], offset: ?>>
!C = memref<?xf64, strided<[1], offset: ?>>
!A2 = memref<?x?xf64, strided<[?, ?], offset: ?>>

// CHECK: #[[ONCE:.*]] = #llvm.loop_annotation<vectorize = #loop_vectorize>{{$}}

// Contiguous by their types: one loop. What distinct_objects says the loop says itself.
// CHECK-LABEL: func.func @dense
// CHECK-NOT: memref.alloca
// CHECK-NOT: scf.if
// CHECK-NOT: memref.distinct_objects
// CHECK:     %[[N:.*]] = memref.dim %arg1
// CHECK:     scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%[[N]])
// CHECK:       %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK:       %[[S:.*]] = arith.mulf %[[X]], %arg2
// CHECK:       memref.store %[[S]], %arg1[%[[I]]]
// CHECK-NOT: linalg
func.func @dense(%a: !C, %o: !C, %c: f64) {
  %d:2 = memref.distinct_objects %a, %o : !C, !C
  linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]} ins(%d#0, %c : !C, f64) outs(%d#1 : !C)
    attrs = {pyarray.cost = 1 : i64, pyarray.packed} {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = arith.mulf %x, %y : f64
    linalg.yield %0 : f64
  }
  return
}

// Contiguous or constant: the runtime says where a block of an input is, and one loop reads it there. Outputs are contiguous.
// CHECK-LABEL: func.func @units
// CHECK:     memref.alloca() {alignment = 64 : i64} : memref<512xf64>
// CHECK:     scf.for
// CHECK:       %[[P:.*]] = func.call @pyarray_rt_pack
// CHECK:       llvm.inttoptr %[[P]]
// CHECK:       %[[A:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !llvm.struct<{{.*}}> to memref<?xf64>
// CHECK:       func.call @pyarray_rt_pack
// CHECK:       scf.parallel (%[[J:.*]]) =
// CHECK:         memref.load %[[A]][%[[J]]]
// CHECK:         arith.addf
// CHECK:         memref.store
// CHECK:         scf.reduce
// CHECK-NOT:   pyarray_rt_unpack
func.func @units(%a: !A, %b: !A, %o: !A) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : !A, !A) outs(%o : !A)
    attrs = {pyarray.cost = 1 : i64, pyarray.unit_strides} {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = arith.addf %x, %y : f64
    linalg.yield %0 : f64
  }
  return
}

// Packed: strided inputs are copied to their buffers block by block, outputs back.
// CHECK-LABEL: func.func @packed
// CHECK-NOT: scf.if
// CHECK:     scf.for
// CHECK:       func.call @pyarray_rt_pack(
// CHECK:       func.call @pyarray_rt_pack(
// CHECK:       scf.parallel
// CHECK:         math.exp
// CHECK:       func.call @pyarray_rt_unpack(
func.func @packed(%a: !A, %o: !A) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : !A) outs(%o : !A)
    attrs = {pyarray.cost = 41 : i64, pyarray.packed} {
  ^bb0(%x: f64, %z: f64):
    %0 = math.exp %x : f64
    linalg.yield %0 : f64
  }
  return
}

// Any strides, cheap: positions are carried along.
// CHECK-LABEL: func.func @strided
// CHECK: scf.for %{{.*}} = {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}) -> (index, index)
// CHECK:   memref.load %{{.*}}[%[[P]]]
// CHECK:   memref.store %{{.*}}[%[[Q]]]
// CHECK:   scf.yield
func.func @strided(%a: !A, %o: !A) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : !A) outs(%o : !A) {
  ^bb0(%x: f64, %z: f64):
    linalg.yield %x : f64
  }
  return
}

// What runs seldom is not unrolled.
// CHECK-LABEL: func.func @seldom
// CHECK: scf.for {{.*}} iter_args
// CHECK: } {loop_annotation = #[[ONCE]]}
func.func @seldom(%a: !A, %o: !A) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : !A) outs(%o : !A)
    attrs = {pyarray.cost = 1 : i64, pyarray.seldom} {
  ^bb0(%x: f64, %z: f64):
    %0 = arith.negf %x : f64
    linalg.yield %0 : f64
  }
  return
}

// Expensive, as a body with loops is: elements at their indices.
// CHECK-LABEL: func.func @points
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK:   scf.parallel (%[[J:.*]]) =
// CHECK:     memref.load %arg0[%[[I]], %[[J]]]
// CHECK:     memref.store %{{.*}}, %arg1[%[[I]], %[[J]]]
func.func @points(%a: !A2, %o: !A2) {
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : !A2) outs(%o : !A2)
    attrs = {pyarray.cost = 1000 : i64} {
  ^bb0(%x: f64, %z: f64):
    linalg.yield %x : f64
  }
  return
}

// Rows are a loop of their own. Where an operand steps less along them, as a transposed one does, they are gone through in tiles.
// CHECK-LABEL: func.func @plane
// CHECK: %[[CROSSED:.*]] = arith.ori
// CHECK: %[[HEIGHT:.*]] = arith.select %[[CROSSED]], %{{.*}}, %{{.*}} : index
// CHECK: %[[WIDTH:.*]] = arith.select %[[CROSSED]]
// CHECK: %[[TILES:.*]] = arith.ceildivsi %{{.*}}, %[[HEIGHT]]
// CHECK: scf.parallel (%[[T:.*]]) = (%{{.*}}) to (%[[TILES]])
// CHECK:   scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[WIDTH]]
// CHECK:     scf.parallel (%[[I:.*]]) =
// CHECK:       memref.subview %arg0[%[[I]], 0] [1, %{{.*}}] [1, 1] : {{.*}} to memref<?xf64, strided<[?], offset: ?>>
// CHECK:       scf.for
// CHECK:       scf.reduce
func.func @plane(%a: !A2, %o: !A2) {
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : !A2) outs(%o : !A2) {
  ^bb0(%x: f64, %z: f64):
    linalg.yield %x : f64
  }
  return
}

// Of one dimension, each part that the runtime wants is a row.
// CHECK-LABEL: func.func @threads
// CHECK: %[[PARTS:.*]] = call @pyarray_rt_parallel_parts(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
// CHECK: %[[COUNT:.*]] = arith.index_cast %[[PARTS]] : i64 to index
// CHECK: scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[COUNT]])
// CHECK:   memref.subview
// CHECK:   scf.for
// CHECK: {pyarray.grain = -1 : i64, pyarray.threads, pyarray.try = 3 : i64}
func.func @threads(%a: !A, %o: !A) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : !A) outs(%o : !A)
    attrs = {pyarray.cost = 0 : i64, pyarray.threads, pyarray.try = 3 : i64} {
  ^bb0(%x: f64, %z: f64):
    linalg.yield %x : f64
  }
  return
}

// Of several dimensions, blocks of the last one are shared out with the others, here with tiles of rows: as many to a
// thread as are worth it, or none.
// CHECK-LABEL: func.func @threads_of_planes
// CHECK: %[[TILES:.*]] = arith.ceildivsi
// CHECK: %[[BLOCKS:.*]] = arith.ceildivsi
// CHECK: %[[COUNT:.*]] = arith.muli %[[BLOCKS]], %[[TILES]]
// CHECK: call @pyarray_rt_parallel_parts
// CHECK: arith.minsi %{{.*}}, %[[COUNT]]
// CHECK: %[[EACH:.*]] = arith.ceildivsi %[[COUNT]]
// CHECK: scf.parallel (%[[PART:.*]]) =
// CHECK:   arith.muli %[[PART]], %[[EACH]]
// CHECK:   scf.for %[[LINE:.*]] = {{.*}} iter_args(%[[BLOCK:.*]] =
// CHECK:     arith.muli %[[LINE]], %[[TILES]]
// CHECK:     scf.for
// CHECK:     arith.addi %[[BLOCK]], %c1
// CHECK: {pyarray.grain = -1 : i64, pyarray.threads}
func.func @threads_of_planes(%a: !A2, %o: !A2) {
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : !A2) outs(%o : !A2)
    attrs = {pyarray.cost = 0 : i64, pyarray.threads} {
  ^bb0(%x: f64, %z: f64):
    linalg.yield %x : f64
  }
  return
}

// Of three: a line of planes is found by one division in a part, and by counting from there on.
// CHECK-LABEL: func.func @threads_of_space
// CHECK: scf.parallel
// CHECK:   arith.remui
// CHECK:   arith.divui
// CHECK:   scf.for %{{.*}} = {{.*}} iter_args(%[[BLOCK:.*]] = %{{.*}}, %[[PLANE:.*]] =
// CHECK-NOT: arith.remui
// CHECK:     scf.for
// CHECK:     %[[NEXT:.*]] = arith.addi %[[PLANE]], %c1
// CHECK:     %[[FULL:.*]] = arith.cmpi eq, %[[NEXT]]
// CHECK:     %[[CARRY:.*]] = arith.select %[[FULL]], %c1
// CHECK:     arith.select %[[FULL]], %c0{{.*}}, %[[NEXT]]
// CHECK:     arith.addi %[[BLOCK]], %[[CARRY]]
// CHECK: {pyarray.grain = -1 : i64, pyarray.threads}
func.func @threads_of_space(%a: memref<?x?x?xf64>, %o: memref<?x?x?xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%a : memref<?x?x?xf64>) outs(%o : memref<?x?x?xf64>) attrs = {pyarray.cost = 0 : i64, pyarray.threads} {
  ^bb0(%x: f64, %z: f64):
    linalg.yield %x : f64
  }
  return
}

// Loops of ours that threads may share are cut in the same way; those of prange are left alone.
// CHECK-LABEL: func.func @loops
// CHECK:     %[[PARTS:.*]] = call @pyarray_rt_parallel_parts
// CHECK:     scf.parallel
// CHECK:       scf.parallel (%[[I:.*]]) =
// CHECK-NEXT:    memref.store %{{.*}}, %arg0[%[[I]]]
// CHECK:     {pyarray.grain = -1 : i64, pyarray.threads}
// CHECK:     scf.parallel (%[[J:.*]]) =
// CHECK-NEXT:  memref.store %{{.*}}, %arg0[%[[J]]]
// CHECK:     {pyarray.threads = []}
func.func @loops(%a: !A, %n: index, %v: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %a[%i] : !A
    scf.reduce
  } {pyarray.cost = 9 : i64, pyarray.threads}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %a[%i] : !A
    scf.reduce
  } {pyarray.threads = []}
  return
}

// For a GPU all loop dimensions are one scf.parallel, whose points pyarray-map-grid gives to threads.
// CHECK-LABEL: func.func @grid
// CHECK:       scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK:         %[[E:.*]] = memref.load %arg0[%[[I]], %[[J]]]
// CHECK:         memref.store %[[E]], %arg1[%[[I]], %[[J]]]
// CHECK:       } {pyarray.grid}
func.func @grid(%a: !A2, %o: !A2) {
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%a : !A2) outs(%o : !A2)
    attrs = {pyarray.grid} {
  ^bb0(%x: f64, %z: f64):
    linalg.yield %x : f64
  }
  return
}

// Extents that are known stay known.
// CHECK-LABEL: func.func @known
// CHECK:     %[[N:.*]] = arith.constant 24 : index
// CHECK-NOT: memref.dim
// CHECK:     scf.parallel (%{{.*}}) = (%{{.*}}) to (%[[N]])
func.func @known(%a: memref<24xf64>, %o: memref<24xf64>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<24xf64>) outs(%o : memref<24xf64>) {
  ^bb0(%x: f64, %z: f64):
    linalg.yield %x : f64
  }
  return
}

// A map that is a permutation, or leaves loops out, is a view.
// CHECK-LABEL: func.func @maps
// CHECK:     %[[M:.*]] = memref.dim %arg2, %{{.*}}
// CHECK:     %[[N:.*]] = memref.dim %arg2, %{{.*}}
// CHECK:     %{{.*}}, %{{.*}}, %{{.*}}, %[[A:.*]] = memref.extract_strided_metadata %arg0
// CHECK:     memref.reinterpret_cast %{{.*}} sizes: [%[[M]], %[[N]]], strides: [%c0, %[[A]]]
// CHECK:     %{{.*}}, %{{.*}}, %{{.*}}:2, %[[B:.*]]:2 = memref.extract_strided_metadata %arg1
// CHECK:     memref.reinterpret_cast %{{.*}} sizes: [%[[M]], %[[N]]], strides: [%[[B]]#1, %[[B]]#0]
#row = affine_map<(i, j) -> (j)>
#turned = affine_map<(i, j) -> (j, i)>
func.func @maps(%a: memref<?xf64>, %b: memref<?x?xf64>, %o: memref<?x?xf64>) {
  linalg.generic {indexing_maps = [#row, #turned, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : memref<?xf64>, memref<?x?xf64>) outs(%o : memref<?x?xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = arith.addf %x, %y : f64
    linalg.yield %0 : f64
  }
  return
}

// Several dimensions of which an input may be stretched: one loop, over the points of blocks.
// CHECK-LABEL: func.func @blocks
// CHECK:     %[[FIRST:.*]] = call @pyarray_rt_open_blocks(%c2{{.*}}, %c2{{.*}}, %c3{{.*}}, %c512{{.*}},
// CHECK:     scf.while (%[[N:.*]] = %[[FIRST]]) : (i64) -> i64 {
// CHECK:       arith.cmpi sgt, %[[N]]
// CHECK:       scf.condition
// CHECK:     } do {
// CHECK:       scf.parallel (%[[I:.*]]) =
// CHECK:         memref.load %{{.*}}[%[[I]]]
// CHECK:         memref.load %{{.*}}[%[[I]]]
// CHECK:         arith.addf
// CHECK:         memref.store
// CHECK:       %[[NEXT:.*]] = func.call @pyarray_rt_next_block
// CHECK:       scf.yield %[[NEXT]]
// CHECK-NOT: scf.for
func.func @blocks(%a: memref<?x?xf64, strided<[?, ?], offset: ?>>, %b: memref<?x?xf64, strided<[?, 1], offset: ?>>, %o: memref<?x?xf64, strided<[?, 1], offset: ?>>) {
  linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : memref<?x?xf64, strided<[?, ?], offset: ?>>, memref<?x?xf64, strided<[?, 1], offset: ?>>)
    outs(%o : memref<?x?xf64, strided<[?, 1], offset: ?>>) attrs = {pyarray.cost = 1 : i64, pyarray.unit_strides} {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = arith.addf %x, %y : f64
    linalg.yield %0 : f64
  }
  return
}

// Threads share rows.
// CHECK-LABEL: func.func @shared_rows
// CHECK-NOT: pyarray_rt_open_blocks
// CHECK: return
func.func @shared_rows(%a: memref<?x?xf64, strided<[?, ?], offset: ?>>, %o: memref<?x?xf64, strided<[?, 1], offset: ?>>) {
  linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<?x?xf64, strided<[?, ?], offset: ?>>)
    outs(%o : memref<?x?xf64, strided<[?, 1], offset: ?>>) attrs = {pyarray.cost = 1 : i64, pyarray.unit_strides, pyarray.threads} {
  ^bb0(%x: f64, %z: f64):
    %0 = arith.addf %x, %x : f64
    linalg.yield %0 : f64
  }
  return
}

// One element for each row is read before the row.
// CHECK-LABEL: func.func @column
// CHECK:     scf.parallel
// CHECK:       %[[X:.*]] = memref.load
// CHECK-NOT:   pyarray_rt_pack
// CHECK:       scf.parallel
// CHECK:         %[[Y:.*]] = memref.load
// CHECK:         arith.mulf %[[X]], %[[Y]]
func.func @column(%v: !A, %m: memref<?x?xf64, strided<[?, 1], offset: ?>>, %o: memref<?x?xf64, strided<[?, 1], offset: ?>>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, #id2, #id2], iterator_types = ["parallel", "parallel"]}
    ins(%v, %m : !A, memref<?x?xf64, strided<[?, 1], offset: ?>>) outs(%o : memref<?x?xf64, strided<[?, 1], offset: ?>>)
    attrs = {pyarray.cost = 1 : i64, pyarray.unit_strides} {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %0 = arith.mulf %x, %y : f64
    linalg.yield %0 : f64
  }
  return
}

// A sum in NumPy's order: eight side by side, of which pairs are added, then what is left. What may have gaps is copied.
// CHECK-LABEL: func.func @sum
// CHECK-DAG: %[[N:.*]] = memref.dim %arg0
// CHECK-DAG: %[[Q:.*]] = arith.divui %[[N]], %c8
// CHECK:     %[[W:.*]] = arith.muli %[[Q]], %c8
// CHECK:     %[[SOURCE:.*]] = scf.if
// CHECK:     } else {
// CHECK:       func.call @pyarray_rt_pack
// CHECK:     %[[EIGHT:.*]] = scf.for %[[I:.*]] = %c0{{.*}} to %[[W]] step %c8{{.*}} iter_args(%[[V:.*]] = %{{.*}}) -> (vector<8xf64>)
// CHECK:       %[[X:.*]] = llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<8xf64>
// CHECK:       %[[Y:.*]] = llvm.load {{.*}} {alignment = 8 : i64} : !llvm.ptr -> vector<8xf64>
// CHECK:       %[[P:.*]] = arith.mulf %[[X]], %[[Y]] : vector<8xf64>
// CHECK:       %[[C:.*]] = llvm.shufflevector
// CHECK:       %[[R:.*]] = arith.maximumf %[[P]], %[[C]] : vector<8xf64>
// CHECK:       %[[S:.*]] = arith.addf %[[V]], %[[R]] : vector<8xf64>
// CHECK:       scf.yield %[[S]]
// CHECK-COUNT-8: llvm.extractelement %[[EIGHT]]
// CHECK-COUNT-7: arith.addf
// CHECK:     scf.for %{{.*}} = %[[W]] to %[[N]] step %c1{{.*}} iter_args
// CHECK:       arith.mulf {{.*}} : f64
// CHECK:       arith.maximumf {{.*}} : f64
// CHECK:       arith.addf {{.*}} : f64
// CHECK:     memref.store %{{.*}}, %arg3
func.func @sum(%a: !A, %b: !C, %c: f64, %o: memref<1xf64>) {
  linalg.generic {indexing_maps = [#id, #id, #none, affine_map<(i) -> (0)>], iterator_types = ["reduction"]}
    ins(%a, %b, %c : !A, !C, f64) outs(%o : memref<1xf64>) attrs = {pyarray.cost = 2 : i64, pyarray.order = "pairwise"} {
  ^bb0(%x: f64, %y: f64, %z: f64, %s: f64):
    %0 = arith.mulf %x, %y : f64
    %1 = arith.maximumf %0, %z : f64
    %2 = arith.addf %s, %1 : f64
    linalg.yield %2 : f64
  }
  return
}

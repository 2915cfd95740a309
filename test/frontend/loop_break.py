# RUN: %import %s:leave | pyarray-opt | FileCheck %s --check-prefix=LEAVE
# RUN: %import %s:give_back | pyarray-opt | FileCheck %s --check-prefix=RETURN
# RUN: %import %s:otherwise | pyarray-opt | FileCheck %s --check-prefix=ELSE
# RUN: %import %s:all_kinds | pyarray-opt | FileCheck %s --check-prefix=ALL


# A loop that can be left early is an scf.while with all of it in the before region.
# LEAVE: %[[A:.*]] = pyarray.iterator %arg0
# LEAVE: %[[R:.*]]:2 = scf.while (%[[K:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}})
# LEAVE: pyarray.iter_more %[[A]], %[[K]]
# LEAVE: %[[B:.*]]:2 = scf.if
# LEAVE: %[[X:.*]] = pyarray.iter_item %[[A]], %[[K]]
# LEAVE: pyarray.constant 1 : si64
# LEAVE: scf.yield %[[S]]
# LEAVE: pyarray.binary add %[[S]], %[[X]] inplace
# LEAVE: pyarray.constant 0 : si64
# LEAVE: } else {
# LEAVE: pyarray.constant 4 : si64
# LEAVE: %[[Z:.*]] = pyarray.constant 0
# LEAVE: %[[E:.*]] = pyarray.compare eq %[[B]]#1, %[[Z]]
# LEAVE: %[[G:.*]] = pyarray.truth %[[E]]
# LEAVE: scf.condition(%[[G]]) %[[K]], %[[B]]#0
# LEAVE: } do {
# LEAVE: pyarray.binary add
# LEAVE: return %[[R]]#1
def leave(a):
    s = 0
    for x in a:
        if x < 0:
            break
        s += x
    return s


# RETURN: %[[R:.*]]:3 = scf.while
# RETURN: } do {
# RETURN: %[[THREE:.*]] = pyarray.constant 3
# RETURN: pyarray.compare ne %[[R]]#1, %[[THREE]]
# RETURN: scf.if
# RETURN: pyarray.constant -1
# RETURN: } else {
# RETURN-NEXT: scf.yield %[[R]]#2
def give_back(a, y):
    for x in a:
        if x == y:
            return x
    return -1


# else runs when the loop ended by itself: state 4.
# ELSE: %[[R:.*]]:2 = scf.while
# ELSE: } do {
# ELSE: %[[FOUR:.*]] = pyarray.constant 4
# ELSE: pyarray.compare eq %[[R]]#1, %[[FOUR]]
# ELSE: scf.if
# ELSE: %[[ONE:.*]] = pyarray.constant 1
# ELSE-NEXT: scf.yield %[[ONE]]
# ELSE: } else {
# ELSE: scf.yield %arg1
def otherwise(a, y):
    for x in a:
        if x == y:
            break
    else:
        y = 1
    return y


# ALL: scf.while
# ALL: pyarray.constant 3 : si64
# ALL: pyarray.constant 1 : si64
# ALL: scf.condition
def all_kinds(a):
    while a > 0:
        a -= 1
        if a == 7:
            return a
        if a == 5:
            break
        if a == 3:
            continue
        a -= 2
    return 0

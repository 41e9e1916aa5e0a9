; Kernels that no compiler writes, each of one trap of LLVM's IR; enemies_test.py
; runs them. `run` gives the launch: the grid, the block, and the arguments in
; order, `p` for a pointer. `is` says what the tool has to answer.
;   right      what each thread accesses is what ran
;   undecided  it is named as not known, and nothing else is said

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.assume(i1)
declare void @llvm.trap()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i32 @llvm.sadd.sat.i32(i32, i32)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare i32 @llvm.scmp.i32.i32(i32, i32)
declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>)

@shared = internal addrspace(3) global [256 x float] undef, align 16
@other = internal addrspace(3) global [64 x i32] undef, align 16
@table = internal constant [8 x i32] [i32 3, i32 1, i32 4, i32 1, i32 5, i32 9, i32 2, i32 6]
@bytes = internal constant [4 x i8] c"\07\80\01\FF"
@rows = internal constant [2 x [3 x i16]] [[3 x i16] [i16 1, i16 -2, i16 3], [3 x i16] [i16 40, i16 50, i16 60]]
@changes = internal global [4 x i32] [i32 3, i32 1, i32 4, i32 1]

; A loop with three ways to its head.
; run 2 8 p,10
; is right
define ptx_kernel void @several_latches(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %first ], [ %next, %second ], [ %next, %third ]
  %next = add i32 %i, 1
  %at = getelementptr i32, ptr %x, i32 %i
  store i32 %i, ptr %at
  %done = icmp sge i32 %next, %n
  br i1 %done, label %end, label %more
more:
  %odd = and i32 %next, 1
  %isOdd = icmp eq i32 %odd, %t
  br i1 %isOdd, label %first, label %rest
first:
  %p = getelementptr i32, ptr %x, i32 100
  store i32 1, ptr %p
  br label %head
rest:
  %is = icmp ugt i32 %next, 5
  br i1 %is, label %second, label %third
second:
  %q = getelementptr i32, ptr %x, i32 101
  store i32 1, ptr %q
  br label %head
third:
  br label %head
end:
  ret void
}

; The counter moves by another number on each way around.
; run 1 8 p,30
; is undecided
define ptx_kernel void @uneven_steps(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %by1, %first ], [ %by3, %second ]
  %at = getelementptr i32, ptr %x, i32 %i
  store i32 %i, ptr %at
  %low = and i32 %i, 3
  %is = icmp eq i32 %low, 0
  br i1 %is, label %first, label %second
first:
  %by1 = add i32 %i, 1
  %go1 = icmp slt i32 %by1, %n
  br i1 %go1, label %head, label %end
second:
  %by3 = add i32 %i, 3
  %go3 = icmp slt i32 %by3, %n
  br i1 %go3, label %head, label %end
end:
  ret void
}

; A switch with two cases to one block, and a phi of four ways.
; run 2 16 p
; is right
define ptx_kernel void @switched(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %t, 7
  switch i32 %low, label %other [
    i32 0, label %zero
    i32 3, label %odd
    i32 5, label %odd
    i32 6, label %join
  ]
zero:
  br label %join
odd:
  br label %join
other:
  %is = icmp ult i32 %t, 8
  br i1 %is, label %join, label %end
join:
  %v = phi i32 [ 10, %zero ], [ %t, %odd ], [ -5, %entry ], [ 77, %other ]
  %at = getelementptr i32, ptr %x, i32 %v
  store i32 %v, ptr %at
  br label %end
end:
  ret void
}

; A switch of a negative case and the least number.
; run 1 8 p
; is right
define ptx_kernel void @switched_edges(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = trunc i32 %t to i8
  %v = mul i8 %s, 64
  switch i8 %v, label %other [
    i8 -128, label %least
    i8 -64, label %minus
    i8 64, label %plus
  ]
least:
  br label %join
minus:
  br label %join
plus:
  br label %join
other:
  br label %join
join:
  %at = phi i64 [ 0, %least ], [ 1, %minus ], [ 2, %plus ], [ 3, %other ]
  %p = getelementptr i64, ptr %x, i64 %at
  store i64 1, ptr %p
  ret void
}

; Pointers of two arguments, chosen twice.
; run 2 8 p,p
; is right
define ptx_kernel void @chosen_pointers(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %t, 1
  %is = icmp eq i32 %low, 0
  %p = select i1 %is, ptr %x, ptr %y
  %q = getelementptr i32, ptr %p, i32 %t
  %more = icmp ugt i32 %t, 4
  %r = getelementptr i8, ptr %q, i64 -8
  %s = select i1 %more, ptr %r, ptr %q
  %v = load i32, ptr %s
  %u = getelementptr i32, ptr %s, i32 1
  store i32 %v, ptr %u
  ret void
}

; One pointer is of shared memory, the other one of an argument.
; run 1 8 p
; is undecided
define ptx_kernel void @either_memory(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp ult i32 %t, 4
  %p = select i1 %is, ptr addrspacecast (ptr addrspace(3) @shared to ptr), ptr %x
  %q = getelementptr i32, ptr %p, i32 %t
  store i32 %t, ptr %q
  ret void
}

; Of two variables of shared memory, through the generic space.
; run 1 8 p
; is undecided
define ptx_kernel void @two_shared(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp ult i32 %t, 4
  %p = select i1 %is, ptr addrspacecast (ptr addrspace(3) @shared to ptr), ptr addrspacecast (ptr addrspace(3) @other to ptr)
  %q = getelementptr i32, ptr %p, i32 %t
  store i32 %t, ptr %q
  ret void
}

; Indices that are negative, narrow, and of structures.
; run 1 8 p
; is right
define ptx_kernel void @negative_indices(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = trunc i32 %t to i8
  %m = sub i8 2, %b
  %p = getelementptr i32, ptr %x, i8 %m
  store i32 1, ptr %p
  %w = trunc i32 %t to i2
  %q = getelementptr i32, ptr %x, i2 %w
  store i32 2, ptr %q
  %r = getelementptr { i8, [3 x i32], i16 }, ptr %x, i32 %t, i32 1, i8 %m
  store i32 3, ptr %r
  %s = getelementptr <{ i8, i32 }>, ptr %x, i32 %t, i32 1
  store i32 4, ptr %s, align 1
  %u = getelementptr i24, ptr %x, i32 %t
  store i8 4, ptr %u
  ret void
}

; Numbers of three bits, and of one.
; run 1 16 p
; is right
define ptx_kernel void @few_bits(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = trunc i32 %t to i3
  %b = mul i3 %a, 3
  %c = add i3 %b, 2
  %d = sext i3 %c to i32
  %p = getelementptr i32, ptr %x, i32 %d
  store i32 1, ptr %p
  %e = zext i3 %c to i64
  %q = getelementptr i32, ptr %x, i64 %e
  store i32 2, ptr %q
  %bit = trunc i32 %t to i1
  %f = sext i1 %bit to i64
  %r = getelementptr i32, ptr %x, i64 %f
  store i32 3, ptr %r
  %sum = add i1 %bit, true
  %g = zext i1 %sum to i64
  %s = getelementptr i32, ptr %x, i64 %g
  store i32 4, ptr %s
  %h = udiv i3 %a, 3
  %k = sdiv i3 %a, 3
  %l = srem i3 %a, 3
  %h64 = zext i3 %h to i64
  %k64 = sext i3 %k to i64
  %l64 = sext i3 %l to i64
  %u = getelementptr i32, ptr %x, i64 %h64
  store i32 5, ptr %u
  %v = getelementptr i32, ptr %x, i64 %k64
  store i32 6, ptr %v
  %w = getelementptr i32, ptr %x, i64 %l64
  store i32 7, ptr %w
  %less = icmp slt i3 %a, 1
  %more = icmp ugt i1 %bit, %less
  br i1 %more, label %yes, label %no
yes:
  store i32 8, ptr %x
  br label %no
no:
  ret void
}

; Truth values as numbers of one bit: products, differences, comparisons.
; run 1 16 p
; is right
define ptx_kernel void @one_bit(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = trunc i32 %t to i1
  %h = lshr i32 %t, 1
  %b = trunc i32 %h to i1
  %m = mul i1 %a, %b
  %s = sub i1 %a, %b
  %l = icmp slt i1 %a, %b
  %g = icmp sgt i1 %a, %b
  %mz = zext i1 %m to i32
  %sz = sext i1 %s to i32
  %p = getelementptr i32, ptr %x, i32 %mz
  store i32 1, ptr %p
  %q = getelementptr i32, ptr %x, i32 %sz
  store i32 2, ptr %q
  br i1 %l, label %less, label %rest
less:
  %p1 = getelementptr i32, ptr %x, i32 10
  store i32 3, ptr %p1
  br label %rest
rest:
  br i1 %g, label %greater, label %end
greater:
  %p2 = getelementptr i32, ptr %x, i32 11
  store i32 4, ptr %p2
  br label %end
end:
  ret void
}

; A copy of bytes, a move, and a fill, of lengths that are known.
; run 1 8 p,p
; is right
define ptx_kernel void @copied(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [12 x i8], ptr %x, i32 %t
  %q = getelementptr [12 x i8], ptr %y, i32 %t
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 12, i1 false)
  %r = getelementptr i8, ptr %x, i64 1000
  call void @llvm.memmove.p0.p0.i64(ptr align 1 %r, ptr align 1 %p, i64 5, i1 true)
  call void @llvm.memset.p0.i64(ptr align 8 %q, i8 7, i64 8, i1 false)
  call void @llvm.memset.p0.i64(ptr align 8 %q, i8 7, i64 0, i1 false)
  ret void
}

; A copy of as many bytes as the thread's number.
; run 1 8 p,p
; is undecided
define ptx_kernel void @copied_some(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = zext i32 %t to i64
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %y, i64 %n, i1 false)
  ret void
}

; What an atomic operation gives is an index.
; run 1 8 p,p
; is undecided
define ptx_kernel void @atomic_index(ptr %x, ptr %y) {
  %k = atomicrmw add ptr %x, i32 1 seq_cst
  %p = getelementptr i32, ptr %y, i32 %k
  store i32 1, ptr %p
  ret void
}

; Atomic operations of several kinds and widths.
; run 1 8 p
; is right
define ptx_kernel void @atomics(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr %x, i32 %t
  %a = atomicrmw umax ptr %p, i64 5 monotonic
  %q = getelementptr i32, ptr %x, i32 %t
  %b = atomicrmw fadd ptr %q, float 1.0 syncscope("device") monotonic
  %c = atomicrmw xchg ptr %q, i32 %t acq_rel
  store atomic i32 1, ptr %q release, align 4
  ret void
}

; A volatile load is an index: two of them may differ.
; run 1 8 p,p
; is undecided
define ptx_kernel void @volatile_index(ptr %x, ptr %y) {
  %v = load volatile i32, ptr %x
  %p = getelementptr i32, ptr %y, i32 %v
  store i32 1, ptr %p
  ret void
}

; An index that the kernel changes between two loads of it.
; run 1 8 p,p
; is undecided
define ptx_kernel void @changed_index(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = load i32, ptr %x
  %a = and i32 %v, 15
  %p = getelementptr i32, ptr %y, i32 %a
  store i32 1, ptr %p
  %s = add i32 %v, 1
  store i32 %s, ptr %x
  %w = load i32, ptr %x
  %b = and i32 %w, 15
  %q = getelementptr i32, ptr %y, i32 %b
  store i32 1, ptr %q
  ret void
}

; freeze, and values that are not defined but not used.
; run 1 8 p
; is right
define ptx_kernel void @frozen(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = freeze i32 %t
  %u = select i1 true, i32 %f, i32 poison
  %p = getelementptr i32, ptr %x, i32 %u
  store i32 undef, ptr %p
  %z = mul i32 %f, 0
  %q = getelementptr i32, ptr %x, i32 %z
  store i32 0, ptr %q
  ret void
}

; Loads and stores of vectors, of all alignments.
; run 1 8 p,p
; is right
define ptx_kernel void @vectors(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <4 x float>, ptr %x, i32 %t
  %v = load <4 x float>, ptr %p, align 16
  %w = load <4 x float>, ptr %p, align 4
  %b = load <2 x i64>, ptr %p, align 8
  %q = getelementptr <8 x i32>, ptr %y, i32 %t
  store <8 x i32> zeroinitializer, ptr %q, align 32
  store <2 x half> zeroinitializer, ptr %q, align 4
  store <4 x i8> zeroinitializer, ptr %q, align 2
  ret void
}

; Three elements, which are no power of two.
; run 1 8 p
; is right
define ptx_kernel void @three(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [3 x float], ptr %x, i32 %t
  %v = load <3 x float>, ptr %p, align 4
  ret void
}

; Widths that no register has.
; run 1 8 p
; is right
define ptx_kernel void @odd_widths(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [3 x i8], ptr %x, i32 %t
  %v = load i24, ptr %p, align 1
  ret void
}

; Numbers of three bits take a byte; of nine, two.
; run 1 8 p
; is right
define ptx_kernel void @narrow_accesses(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i8, ptr %x, i32 %t
  %v = load i3, ptr %p, align 1
  store i1 true, ptr %p, align 1
  %q = getelementptr i16, ptr %x, i32 %t
  store i9 5, ptr %q, align 2
  %r = getelementptr i128, ptr %x, i32 %t
  store i128 5, ptr %r, align 16
  ret void
}

; An index that is an element of a vector.
; run 1 8 p,p
; is undecided
define ptx_kernel void @extracted(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = load <4 x i32>, ptr %x
  %e = extractelement <4 x i32> %v, i32 2
  %a = and i32 %e, 31
  %p = getelementptr i32, ptr %y, i32 %a
  store i32 1, ptr %p
  ret void
}

; An index that is put into a vector and taken out again, and a vector of
; addresses.
; run 1 8 p
; is undecided
define ptx_kernel void @vector_of_indices(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = insertelement <2 x i32> zeroinitializer, i32 %t, i32 1
  %b = add <2 x i32> %a, <i32 3, i32 4>
  %c = extractelement <2 x i32> %b, i32 1
  %p = getelementptr i32, ptr %x, i32 %c
  store i32 1, ptr %p
  %ps = getelementptr i32, ptr %x, <2 x i32> %b
  %q = extractelement <2 x ptr> %ps, i32 0
  store i32 1, ptr %q
  ret void
}

; A structure that is given by value: its own memory of each thread.
; run 1 8 p,=0300000005000000
; is undecided
define ptx_kernel void @by_value(ptr %x, ptr byval({ i32, i32 }) %s) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = getelementptr { i32, i32 }, ptr %s, i32 0, i32 1
  %k = load i32, ptr %f
  %a = add i32 %k, %t
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  store i32 9, ptr %f
  ret void
}

; A loop inside of a loop that may leave both.
; run 2 8 p,p
; is undecided
define ptx_kernel void @leaves_both(ptr %x, ptr %y) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %outerNext ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %innerNext ]
  %r = mul i32 %i, 16
  %k = add i32 %r, %j
  %p = getelementptr i32, ptr %x, i32 %k
  %v = load i32, ptr %p
  %low = and i32 %v, 7
  %stop = icmp eq i32 %low, %t
  br i1 %stop, label %found, label %innerNext
innerNext:
  %j1 = add i32 %j, 1
  %go = icmp ult i32 %j1, 5
  br i1 %go, label %inner, label %outerNext
outerNext:
  %i1 = add i32 %i, 1
  %goOn = icmp ult i32 %i1, 3
  br i1 %goOn, label %outer, label %end
found:
  %q = getelementptr i32, ptr %y, i32 %k
  store i32 1, ptr %q
  br label %end
end:
  store i32 2, ptr %y
  ret void
}

; The same with a condition that is known.
; run 2 8 p,p
; is undecided
define ptx_kernel void @leaves_both_known(ptr %x, ptr %y) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %outerNext ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %innerNext ]
  %r = mul i32 %i, 16
  %k = add i32 %r, %j
  %p = getelementptr i32, ptr %x, i32 %k
  %v = load i32, ptr %p
  %stop = icmp eq i32 %j, %t
  br i1 %stop, label %found, label %innerNext
innerNext:
  %j1 = add i32 %j, 1
  %go = icmp ult i32 %j1, 5
  br i1 %go, label %inner, label %outerNext
outerNext:
  %i1 = add i32 %i, 1
  %goOn = icmp ult i32 %i1, 3
  br i1 %goOn, label %outer, label %end
found:
  %q = getelementptr i32, ptr %y, i32 %k
  store i32 1, ptr %q
  br label %end
end:
  store i32 2, ptr %y
  ret void
}

; A loop that leaves in its middle, behind a store, and at its end.
; run 2 8 p,12
; is right
define ptx_kernel void @two_exits(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %more ]
  %p = getelementptr i32, ptr %x, i32 %i
  store i32 1, ptr %p
  %isT = icmp eq i32 %i, %t
  br i1 %isT, label %end, label %more
more:
  %q = getelementptr i8, ptr %p, i64 400
  store i32 2, ptr %q
  %i1 = add i32 %i, 1
  %go = icmp slt i32 %i1, %n
  br i1 %go, label %head, label %end
end:
  ret void
}

; What two exits of a loop give.
; run 2 8 p,5
; is undecided
define ptx_kernel void @two_exits_value(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %more ]
  %isT = icmp eq i32 %i, %t
  br i1 %isT, label %end, label %more
more:
  %i1 = add i32 %i, 1
  %go = icmp slt i32 %i1, %n
  br i1 %go, label %head, label %end
end:
  %v = phi i32 [ 100, %head ], [ %i1, %more ]
  %p = getelementptr i32, ptr %x, i32 %v
  store i32 1, ptr %p
  ret void
}

; A cycle with two entries, which is no loop.
; run 2 8 p
; is undecided
define ptx_kernel void @two_entries(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp ult i32 %t, 4
  br i1 %is, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %j1, %b ]
  %p = getelementptr i32, ptr %x, i32 %i
  store i32 1, ptr %p
  %i1 = add i32 %i, 1
  %go = icmp slt i32 %i1, 10
  br i1 %go, label %b, label %end
b:
  %j = phi i32 [ 5, %entry ], [ %i1, %a ]
  %q = getelementptr i32, ptr %x, i32 %j
  store i32 2, ptr %q
  %j1 = add i32 %j, 1
  br label %a
end:
  ret void
}

; A cycle with two entries within a loop that is one.
; run 1 8 p,3
; is undecided
define ptx_kernel void @entries_in_loop(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p0 = getelementptr i32, ptr %x, i32 %k
  store i32 0, ptr %p0
  %is = icmp ult i32 %t, 4
  br i1 %is, label %a, label %b
a:
  %i = phi i32 [ 0, %head ], [ %j1, %b ]
  %i1 = add i32 %i, 1
  %go = icmp slt i32 %i1, 10
  br i1 %go, label %b, label %next
b:
  %j = phi i32 [ 5, %head ], [ %i1, %a ]
  %q = getelementptr i32, ptr %x, i32 %j
  store i32 2, ptr %q
  %j1 = add i32 %j, 1
  br label %a
next:
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %head, label %end
end:
  ret void
}

; A counter that goes down, and one that comes to its end by a difference.
; run 1 8 p,9
; is right
define ptx_kernel void @counts_down(ptr %x, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ %n, %entry ], [ %i1, %head ]
  %i1 = add i32 %i, -3
  %p = getelementptr i32, ptr %x, i32 %i
  store i32 1, ptr %p
  %go = icmp ne i32 %i1, 0
  br i1 %go, label %head, label %end
end:
  %q = getelementptr i64, ptr %x, i32 %i1
  store i64 1, ptr %q
  ret void
}

; A counter of eight bits that passes 255.
; run 1 8 p
; is right
define ptx_kernel void @counter_wraps(ptr %x) {
entry:
  br label %head
head:
  %i = phi i8 [ -6, %entry ], [ %i1, %head ]
  %i1 = add i8 %i, 1
  %w = zext i8 %i to i32
  %p = getelementptr i32, ptr %x, i32 %w
  store i32 1, ptr %p
  %go = icmp ne i8 %i1, 4
  br i1 %go, label %head, label %end
end:
  ret void
}

; The same with a step that meets its end only after several rounds.
; run 1 8 p
; is right
define ptx_kernel void @step_wraps(ptr %x) {
entry:
  br label %head
head:
  %i = phi i8 [ 0, %entry ], [ %i1, %head ]
  %i1 = add i8 %i, 7
  %w = sext i8 %i to i32
  %p = getelementptr i8, ptr %x, i32 %w
  store i8 1, ptr %p
  %go = icmp ne i8 %i1, 3
  br i1 %go, label %head, label %end
end:
  ret void
}

; Two values that change places each turn.
; run 1 8 p
; is right
define ptx_kernel void @change_places(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %a = phi i32 [ 1, %entry ], [ %b, %head ]
  %b = phi i32 [ %t, %entry ], [ %a, %head ]
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 5
  br i1 %go, label %head, label %end
end:
  ret void
}

; Numbers of Fibonacci.
; run 1 8 p
; is right
define ptx_kernel void @sums_of_two(ptr %x) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %a = phi i32 [ 0, %entry ], [ %b, %head ]
  %b = phi i32 [ 1, %entry ], [ %s, %head ]
  %s = add i32 %a, %b
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 8
  br i1 %go, label %head, label %end
end:
  ret void
}

; A value of two turns before.
; run 1 8 p
; is right
define ptx_kernel void @two_turns_before(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %a = phi i32 [ 20, %entry ], [ %b, %head ]
  %b = phi i32 [ 10, %entry ], [ %f, %head ]
  %f = mul i32 %i, %t
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 6
  br i1 %go, label %head, label %end
end:
  %q = getelementptr i64, ptr %x, i32 %a
  store i64 1, ptr %q
  ret void
}

; Counters that double and halve, as trees of sums have them.
; run 1 16 p,16
; is right
define ptx_kernel void @doubling(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %s = phi i32 [ 1, %entry ], [ %s2, %head ]
  %a = add i32 %t, %s
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %s2 = shl i32 %s, 1
  %go = icmp slt i32 %s2, %n
  br i1 %go, label %head, label %end
end:
  ret void
}

; run 1 16 p
; is right
define ptx_kernel void @halving(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %s = phi i32 [ 8, %entry ], [ %s2, %next ]
  %is = icmp ult i32 %t, %s
  br i1 %is, label %then, label %next
then:
  %a = add i32 %t, %s
  %p = getelementptr i32, ptr %x, i32 %a
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %x, i32 %t
  store i32 %v, ptr %q
  br label %next
next:
  %s2 = lshr i32 %s, 1
  %stop = icmp ult i32 %s, 2
  br i1 %stop, label %end, label %head
end:
  ret void
}

; run 1 16 p
; is right
define ptx_kernel void @tripling(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %s = phi i32 [ 1, %entry ], [ %s2, %head ]
  %p = getelementptr i32, ptr %x, i32 %s
  store i32 1, ptr %p
  %s2 = mul i32 %s, 3
  %go = icmp slt i32 %s2, 1000
  br i1 %go, label %head, label %end
end:
  %q = getelementptr i64, ptr %x, i32 %s2
  store i64 1, ptr %q
  ret void
}

; The number that is halved rounds, of a division and of a shift with sign.
; run 1 8 p,-37
; is right
define ptx_kernel void @halving_rounds(ptr %x, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %a = phi i32 [ %n, %entry ], [ %a2, %head ]
  %b = phi i32 [ %n, %entry ], [ %b2, %head ]
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %q = getelementptr i32, ptr %x, i32 %b
  store i32 2, ptr %q
  %a2 = sdiv i32 %a, 2
  %b2 = ashr i32 %b, 1
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 7
  br i1 %go, label %head, label %end
end:
  ret void
}

; Shifts by numbers of the thread.
; run 1 8 p
; is right
define ptx_kernel void @shifts(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = shl i32 1, %t
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %b = lshr i32 -2147483648, %t
  %b2 = lshr i32 %b, 20
  %q = getelementptr i32, ptr %x, i32 %b2
  store i32 1, ptr %q
  %m = sub i32 3, %t
  %c = ashr i32 %m, 1
  %r = getelementptr i32, ptr %x, i32 %c
  store i32 1, ptr %r
  %h = shl i32 %t, 30
  %g = ashr i32 %h, 28
  %s = getelementptr i32, ptr %x, i32 %g
  store i32 1, ptr %s
  ret void
}

; Quotients and remainders of negative numbers, with and without sign.
; run 1 16 p
; is right
define ptx_kernel void @divisions(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = sub i32 %t, 7
  %a = sdiv i32 %m, 3
  %b = srem i32 %m, -3
  %c = udiv i32 %m, 1000000007
  %d = urem i32 %m, 13
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %q = getelementptr i32, ptr %x, i32 %b
  store i32 1, ptr %q
  %r = getelementptr i32, ptr %x, i32 %c
  store i32 1, ptr %r
  %s = getelementptr i32, ptr %x, i32 %d
  store i32 1, ptr %s
  %e = sdiv i32 100, %m
  ret void
}

; Products and sums that leave 32 bits.
; run 3 16 p
; is right
define ptx_kernel void @overflows(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = mul i32 %t, 1431655765
  %s = add i32 %m, %b
  %a = sext i32 %s to i64
  %p = getelementptr i8, ptr %x, i64 %a
  store i8 1, ptr %p
  %z = zext i32 %s to i64
  %q = getelementptr i8, ptr %x, i64 %z
  store i8 1, ptr %q
  %k = mul i32 %t, -1
  %u = zext i32 %k to i64
  %r = getelementptr i8, ptr %x, i64 %u
  store i8 1, ptr %r
  ret void
}

; Addresses as integers: sums, differences, comparisons, cut ones.
; run 1 8 p
; is right
define ptx_kernel void @addresses(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %x, i32 %t
  %a = ptrtoint ptr %p to i64
  %b = add i64 %a, 64
  %q = inttoptr i64 %b to ptr
  store i32 1, ptr %q
  %o = ptrtoint ptr %x to i64
  %d = sub i64 %a, %o
  %r = getelementptr i8, ptr %x, i64 %d
  store i8 1, ptr %r
  %less = icmp ult ptr %p, %x
  br i1 %less, label %never, label %end
never:
  store i32 5, ptr %x
  br label %end
end:
  ret void
}

; Addresses of which bits are cut, or that are compared with none.
; run 1 8 p
; is undecided
define ptx_kernel void @cut_addresses(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %x, i32 %t
  %a = ptrtoint ptr %p to i64
  %c = and i64 %a, -16
  %q = inttoptr i64 %c to ptr
  store i32 1, ptr %q
  %n = trunc i64 %a to i32
  %w = zext i32 %n to i64
  %r = inttoptr i64 %w to ptr
  store i8 1, ptr %r
  ret void
}

; run 1 8 p,p
; is undecided
define ptx_kernel void @compared_addresses(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %isNone = icmp eq ptr %x, null
  %isLess = icmp ult ptr %x, %y
  br i1 %isNone, label %end, label %some
some:
  %p = getelementptr i32, ptr %x, i32 %t
  store i32 1, ptr %p
  br i1 %isLess, label %less, label %end
less:
  %q = getelementptr i32, ptr %y, i32 %t
  store i32 1, ptr %q
  br label %end
end:
  ret void
}

; A number of 128 bits.
; run 1 8 p
; is undecided
define ptx_kernel void @wide_numbers(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = zext i32 %t to i128
  %b = mul i128 %a, 36893488147419103232
  %c = lshr i128 %b, 64
  %d = trunc i128 %c to i64
  %p = getelementptr i32, ptr %x, i64 %d
  store i32 1, ptr %p
  ret void
}

; Intrinsics that compute integers.
; run 1 16 p
; is right
define ptx_kernel void @minima(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = sub i32 %t, 5
  %a = call i32 @llvm.umin.i32(i32 %m, i32 7)
  %b = call i32 @llvm.smax.i32(i32 %m, i32 -2)
  %c = call i32 @llvm.abs.i32(i32 %m, i1 false)
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %q = getelementptr i32, ptr %x, i32 %b
  store i32 1, ptr %q
  %r = getelementptr i32, ptr %x, i32 %c
  store i32 1, ptr %r
  ret void
}

; run 1 16 p
; is undecided
define ptx_kernel void @bits_of_all_kinds(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = call i32 @llvm.fshl.i32(i32 %t, i32 %t, i32 3)
  %b = call i32 @llvm.bswap.i32(i32 %t)
  %b2 = lshr i32 %b, 22
  %c = call i32 @llvm.ctpop.i32(i32 %t)
  %d = call i32 @llvm.ctlz.i32(i32 %t, i1 false)
  %e = call i32 @llvm.usub.sat.i32(i32 %t, i32 5)
  %f = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %t, i32 -4)
  %g = extractvalue { i32, i1 } %f, 0
  %h = call i32 @llvm.scmp.i32.i32(i32 %t, i32 5)
  %k = call i32 @llvm.sadd.sat.i32(i32 %t, i32 2147483640)
  %k2 = lshr i32 %k, 1
  %p0 = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p0
  %p1 = getelementptr i32, ptr %x, i32 %b2
  store i32 1, ptr %p1
  %p2 = getelementptr i32, ptr %x, i32 %c
  store i32 1, ptr %p2
  %p3 = getelementptr i32, ptr %x, i32 %d
  store i32 1, ptr %p3
  %p4 = getelementptr i32, ptr %x, i32 %e
  store i32 1, ptr %p4
  %p5 = getelementptr i32, ptr %x, i32 %g
  store i32 1, ptr %p5
  %p6 = getelementptr i32, ptr %x, i32 %h
  store i32 1, ptr %p6
  %p7 = getelementptr i8, ptr %x, i32 %k2
  store i8 1, ptr %p7
  ret void
}

; Bits of both sides that are set in both.
; run 2 32 p
; is right
define ptx_kernel void @bits(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %h = lshr i32 %t, 2
  %a = xor i32 %t, %h
  %o = or i32 %t, 5
  %n = and i32 %t, %h
  %k = xor i32 %t, -1
  %s = shl i32 %b, 3
  %w = or i32 %t, %s
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %q = getelementptr i32, ptr %x, i32 %o
  store i32 1, ptr %q
  %r = getelementptr i32, ptr %x, i32 %n
  store i32 1, ptr %r
  %u = getelementptr i32, ptr %x, i32 %k
  store i32 1, ptr %u
  %v = getelementptr i32, ptr %x, i32 %w
  store i32 1, ptr %v
  ret void
}

; `or disjoint` that is not, under a condition under which it is not run.
; run 1 16 p
; is right
define ptx_kernel void @not_disjoint(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = or disjoint i32 %t, 8
  %is = icmp ult i32 %t, 8
  br i1 %is, label %then, label %end
then:
  %p = getelementptr i32, ptr %x, i32 %o
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; Threads that end early, and a trap.
; run 2 16 p,20
; is right
define ptx_kernel void @ends_early(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %s = mul i32 %b, %d
  %i = add i32 %s, %t
  %out = icmp sge i32 %i, %n
  br i1 %out, label %leave, label %in
leave:
  ret void
in:
  %p = getelementptr i32, ptr %x, i32 %i
  store i32 1, ptr %p
  %bad = icmp ugt i32 %i, 1000
  br i1 %bad, label %trap, label %rest
trap:
  call void @llvm.trap()
  unreachable
rest:
  %q = getelementptr i64, ptr %x, i32 %i
  store i64 1, ptr %q
  ret void
}

; A loop without an end on a way that no thread takes.
; run 1 16 p
; is right
define ptx_kernel void @never_ends(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp ugt i32 %t, 100
  br i1 %is, label %loop, label %rest
loop:
  br label %loop
rest:
  %p = getelementptr i32, ptr %x, i32 %t
  store i32 1, ptr %p
  ret void
}

; The thread's own memory: arrays, and a pointer that is kept in one.
; run 1 8 p
; is right
define ptx_kernel void @own_memory(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = alloca [8 x i32]
  %b = alloca ptr
  %c = alloca [2 x ptr]
  %p = getelementptr i32, ptr %x, i32 %t
  store ptr %p, ptr %b
  %q = load ptr, ptr %b
  store i32 1, ptr %q
  %k = and i32 %t, 1
  %e = getelementptr [2 x ptr], ptr %c, i32 0, i32 %k
  store ptr %p, ptr %e
  %r = load ptr, ptr %e
  store i32 2, ptr %r
  %f = getelementptr [8 x i32], ptr %a, i32 0, i32 %t
  store i32 3, ptr %f
  %v = load i32, ptr %f
  %s = getelementptr i32, ptr %x, i32 %v
  store i32 4, ptr %s
  ret void
}

; Functions that are called, one of which calls itself.
define internal i32 @helper(i32 %a, ptr %x) noinline {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %p = getelementptr i32, ptr %x, i32 %i
  store i32 %a, ptr %p
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, %a
  br i1 %go, label %head, label %end
end:
  ret i32 %i1
}
define internal void @itself(i32 %a, ptr %x) {
entry:
  %is = icmp eq i32 %a, 0
  br i1 %is, label %end, label %more
more:
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 %a, ptr %p
  %b = sub i32 %a, 1
  call void @itself(i32 %b, ptr %x)
  br label %end
end:
  ret void
}

; run 1 8 p
; is right
define ptx_kernel void @calls(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = call i32 @helper(i32 3, ptr %x)
  %b = call i32 @helper(i32 %a, ptr %x)
  %p = getelementptr i64, ptr %x, i32 %b
  store i64 1, ptr %p
  ret void
}

; run 1 8 p
; is undecided
define ptx_kernel void @calls_itself(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @itself(i32 %t, ptr %x)
  ret void
}

; run 1 8 p
; is undecided
define ptx_kernel void @calls_unknown(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp ult i32 %t, 4
  %f = select i1 %is, ptr @itself, ptr @helper
  call void %f(i32 1, ptr %x)
  ret void
}

; A table in constant memory, at indices that are known.
; run 1 8 p
; is right
define ptx_kernel void @table_at_turns(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %e = getelementptr [8 x i32], ptr @table, i32 0, i32 %i
  %k = load i32, ptr %e
  %a = add i32 %k, %t
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 8
  br i1 %go, label %head, label %end
end:
  ret void
}

; run 1 6 p
; is right
define ptx_kernel void @table_of_rows(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = udiv i32 %t, 3
  %c = urem i32 %t, 3
  %e = getelementptr [2 x [3 x i16]], ptr @rows, i32 0, i32 %r, i32 %c
  %k = load i16, ptr %e
  %p = getelementptr i32, ptr %x, i16 %k
  store i32 1, ptr %p
  %f = getelementptr [2 x [3 x i16]], ptr @rows, i32 0, i32 1, i32 1
  %l = load i16, ptr %f
  %q = getelementptr i64, ptr %x, i16 %l
  store i64 1, ptr %q
  ret void
}

; run 1 4 p
; is right
define ptx_kernel void @table_of_bytes(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = getelementptr [4 x i8], ptr @bytes, i32 0, i32 %t
  %k = load i8, ptr %e
  %z = zext i8 %k to i32
  %p = getelementptr i32, ptr %x, i32 %z
  store i32 1, ptr %p
  %s = sext i8 %k to i32
  %q = getelementptr i32, ptr %x, i32 %s
  store i32 1, ptr %q
  ret void
}

; A table that the kernel may change, and an element behind the end of one.
; run 1 4 p
; is undecided
define ptx_kernel void @table_changes(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = getelementptr [4 x i32], ptr @changes, i32 0, i32 %t
  %k = load i32, ptr %e
  %p = getelementptr i32, ptr %x, i32 %k
  store i32 1, ptr %p
  ret void
}

; A counter that starts again, from its middle.
; run 1 8 p
; is right
define ptx_kernel void @starts_again(ptr %x) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %s = phi i32 [ 2, %entry ], [ %s2, %head ]
  %p = getelementptr i32, ptr %x, i32 %s
  store i32 1, ptr %p
  %s1 = add i32 %s, 1
  %is = icmp slt i32 %s1, 4
  %s2 = select i1 %is, i32 %s1, i32 0
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 11
  br i1 %go, label %head, label %end
end:
  ret void
}

; Like it, but it starts again at another number than 0.
; run 1 8 p
; is right
define ptx_kernel void @starts_again_at_one(ptr %x) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %s = phi i32 [ 1, %entry ], [ %s2, %head ]
  %p = getelementptr i32, ptr %x, i32 %s
  store i32 1, ptr %p
  %s1 = add i32 %s, 1
  %is = icmp slt i32 %s1, 4
  %s2 = select i1 %is, i32 %s1, i32 1
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 11
  br i1 %go, label %head, label %end
end:
  ret void
}

; A bit that is turned, of a number that has others.
; run 1 8 p
; is right
define ptx_kernel void @turned_bit(ptr %x) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %s = phi i8 [ 5, %entry ], [ %s2, %head ]
  %w = sext i8 %s to i32
  %p = getelementptr i32, ptr %x, i32 %w
  store i32 1, ptr %p
  %s2 = xor i8 %s, -3
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 5
  br i1 %go, label %head, label %end
end:
  ret void
}

; A loop whose count is loaded.
; run 1 8 p,p
; is right
define ptx_kernel void @loaded_count(ptr %x, ptr %y) {
entry:
  %n = load i32, ptr %x
  %m = and i32 %n, 7
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %body ]
  %go = icmp ult i32 %i, %m
  br i1 %go, label %body, label %end
body:
  %p = getelementptr i32, ptr %y, i32 %i
  store i32 1, ptr %p
  %i1 = add i32 %i, 1
  br label %head
end:
  %q = getelementptr i64, ptr %y, i32 %i
  store i64 1, ptr %q
  ret void
}

; Loops whose counts are those of the thread and of the loop around.
; run 1 8 p
; is right
define ptx_kernel void @triangle(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %outerNext ]
  br label %inner
inner:
  %j = phi i32 [ %i, %outer ], [ %j1, %inner ]
  %k = mul i32 %j, 8
  %a = add i32 %k, %i
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %j1 = add i32 %j, 1
  %go = icmp ult i32 %j1, %t
  br i1 %go, label %inner, label %outerNext
outerNext:
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %t
  br i1 %more, label %outer, label %end
end:
  %q = getelementptr i64, ptr %x, i32 %j1
  store i64 1, ptr %q
  ret void
}

; A pointer that a loop moves, from two starts.
; run 1 8 p,p
; is right
define ptx_kernel void @moving_pointer(ptr %x, ptr %y) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is = icmp ult i32 %t, 3
  %s = select i1 %is, ptr %x, ptr %y
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %p = phi ptr [ %s, %entry ], [ %p1, %head ]
  store i32 1, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 12
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 4
  br i1 %go, label %head, label %end
end:
  store i16 1, ptr %p1
  ret void
}

; A loop that ends where a pointer is another one.
; run 1 8 p
; is right
define ptx_kernel void @until_pointer(ptr %x) {
entry:
  %last = getelementptr i32, ptr %x, i32 9
  br label %head
head:
  %p = phi ptr [ %x, %entry ], [ %p1, %head ]
  store i32 1, ptr %p
  %p1 = getelementptr i32, ptr %p, i64 1
  %go = icmp ne ptr %p1, %last
  br i1 %go, label %head, label %end
end:
  ret void
}

; Values that leave a loop: the last ones, of a block that runs sometimes.
; run 1 8 p,7
; is right
define ptx_kernel void @left_values(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %odd = and i32 %i, 1
  %is = icmp eq i32 %odd, 0
  br i1 %is, label %then, label %next
then:
  %a = mul i32 %i, %t
  br label %next
next:
  %v = phi i32 [ 50, %head ], [ %a, %then ]
  %i1 = add i32 %i, 1
  %go = icmp slt i32 %i1, %n
  br i1 %go, label %head, label %end
end:
  %p = getelementptr i32, ptr %x, i32 %v
  store i32 1, ptr %p
  ret void
}

; A number of 32 bits that a loop carries past 2^32, of which 64 bits are made.
; run 1 8 p
; is right
define ptx_kernel void @carried_past(ptr %x) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %s = phi i32 [ 5, %entry ], [ %s1, %head ]
  %w = zext i32 %s to i64
  %p = getelementptr i8, ptr %x, i64 %w
  store i8 1, ptr %p
  %s1 = add i32 %s, 1500000000
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 7
  br i1 %go, label %head, label %end
end:
  ret void
}

; Two axes of threads, of which none is a power of two.
; run 2 6,5 p
; is right
define ptx_kernel void @two_axes(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %m = mul i32 %u, 7
  %a = add i32 %m, %t
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  ret void
}

; A truth value that a loop carries decides what is stored.
; run 1 8 p
; is right
define ptx_kernel void @carried_truth(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %was = phi i1 [ false, %entry ], [ %now, %next ]
  br i1 %was, label %then, label %next
then:
  %p = getelementptr i32, ptr %x, i32 %i
  store i32 1, ptr %p
  br label %next
next:
  %now = icmp eq i32 %i, %t
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 6
  br i1 %go, label %head, label %end
end:
  br i1 %now, label %last, label %out
last:
  %q = getelementptr i64, ptr %x, i32 %t
  store i64 1, ptr %q
  br label %out
out:
  ret void
}

; A truth value that stays once it is true.
; run 1 8 p
; is right
define ptx_kernel void @once_true(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %found = phi i1 [ false, %entry ], [ %any, %next ]
  br i1 %found, label %next, label %then
then:
  %p = getelementptr i32, ptr %x, i32 %i
  store i32 1, ptr %p
  br label %next
next:
  %is = icmp eq i32 %i, %t
  %any = or i1 %found, %is
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 6
  br i1 %go, label %head, label %end
end:
  ret void
}

; A number that an inner loop moves on, from turn to turn of the outer one.
; run 1 8 p,3
; is right
define ptx_kernel void @moved_inside(ptr %x, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %outerNext ]
  %k = phi i32 [ 7, %entry ], [ %kOut, %outerNext ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %m = phi i32 [ %k, %outer ], [ %m1, %inner ]
  %p = getelementptr i32, ptr %x, i32 %m
  store i32 1, ptr %p
  %m1 = add i32 %m, 2
  %j1 = add i32 %j, 1
  %go = icmp ult i32 %j1, %n
  br i1 %go, label %inner, label %outerNext
outerNext:
  %kOut = add i32 %m1, 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 4
  br i1 %more, label %outer, label %end
end:
  %q = getelementptr i64, ptr %x, i32 %kOut
  store i64 1, ptr %q
  ret void
}

; The same with an inner loop that has as many turns as the outer one had.
; run 1 8 p
; is right
define ptx_kernel void @moved_by_more(ptr %x) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 1, %entry ], [ %i1, %outerNext ]
  %k = phi i32 [ 0, %entry ], [ %m1, %outerNext ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner ]
  %m = phi i32 [ %k, %outer ], [ %m1, %inner ]
  %p = getelementptr i32, ptr %x, i32 %m
  store i32 1, ptr %p
  %m1 = add i32 %m, 3
  %j1 = add i32 %j, 1
  %go = icmp ult i32 %j1, %i
  br i1 %go, label %inner, label %outerNext
outerNext:
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 5
  br i1 %more, label %outer, label %end
end:
  ret void
}

; Two pointers that change places.
; run 1 8 p,p
; is right
define ptx_kernel void @two_buffers(ptr %x, ptr %y) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %a = phi ptr [ %x, %entry ], [ %b, %head ]
  %b = phi ptr [ %y, %entry ], [ %a2, %head ]
  %p = getelementptr i32, ptr %a, i32 %t
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %b, i32 %t
  store i32 %v, ptr %q
  %a2 = getelementptr i8, ptr %a, i64 32
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 5
  br i1 %go, label %head, label %end
end:
  %r = getelementptr i8, ptr %b, i64 2
  store i8 1, ptr %r
  ret void
}

; A pointer that is loaded.
; run 1 8 p
; is undecided
define ptx_kernel void @loaded_pointer(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = load ptr, ptr %x
  %q = getelementptr i32, ptr %p, i32 %t
  store i32 1, ptr %q
  store ptr %q, ptr %x
  ret void
}

; An index that another thread stored.
; run 1 8 p
; is undecided
define ptx_kernel void @shared_index(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @other, i32 %t
  %s = xor i32 %t, 1
  store i32 %s, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier0()
  %q = getelementptr i32, ptr addrspace(3) @other, i32 %s
  %k = load i32, ptr addrspace(3) %q
  %r = getelementptr i32, ptr %x, i32 %k
  store i32 1, ptr %r
  ret void
}

; Numbers that go through floats.
; run 1 8 p
; is undecided
define ptx_kernel void @through_floats(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  %h = fmul float %f, 1.5
  %k = fptosi float %h to i32
  %p = getelementptr i32, ptr %x, i32 %k
  store i32 1, ptr %p
  %b = bitcast i32 %t to float
  %c = bitcast float %b to i32
  %q = getelementptr i32, ptr %x, i32 %c
  store i32 1, ptr %q
  %is = fcmp olt float %f, 3.0
  br i1 %is, label %then, label %end
then:
  %r = getelementptr i64, ptr %x, i32 %t
  store i64 1, ptr %r
  br label %end
end:
  ret void
}

; Products of two numbers of a thread, a block and a turn.
; run 3 8 p
; is right
define ptx_kernel void @products(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = mul i32 %t, %t
  %p = getelementptr i32, ptr %x, i32 %s
  store i32 1, ptr %p
  %u = mul i32 %t, %b
  %q = getelementptr i32, ptr %x, i32 %u
  store i32 1, ptr %q
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %v = mul i32 %i, %t
  %w = shl i32 1, %i
  %a = add i32 %v, %w
  %r = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %r
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 5
  br i1 %go, label %head, label %end
end:
  ret void
}

; A step of a tree: threads whose number has no low bits.
; run 1 16 p
; is right
define ptx_kernel void @tree_steps(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %s = shl i32 1, %i
  %two = shl i32 %s, 1
  %low = sub i32 %two, 1
  %m = and i32 %t, %low
  %is = icmp eq i32 %m, 0
  br i1 %is, label %then, label %next
then:
  %a = add i32 %t, %s
  %p = getelementptr i32, ptr %x, i32 %a
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %x, i32 %t
  store i32 %v, ptr %q
  br label %next
next:
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 4
  br i1 %go, label %head, label %end
end:
  ret void
}

; Remainders by the loop's counter, which is never 0.
; run 1 8 p
; is right
define ptx_kernel void @by_counter(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 1, %entry ], [ %i1, %head ]
  %r = urem i32 %t, %i
  %d = udiv i32 %t, %i
  %m = mul i32 %d, 10
  %a = add i32 %m, %r
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 6
  br i1 %go, label %head, label %end
end:
  ret void
}

; A switch that leaves the loop, goes on, or passes a store.
; run 1 8 p
; is undecided
define ptx_kernel void @switch_in_loop(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %a = add i32 %i, %t
  switch i32 %a, label %pass [
    i32 3, label %next
    i32 7, label %end
    i32 9, label %end
  ]
pass:
  %p = getelementptr i32, ptr %x, i32 %a
  store i32 1, ptr %p
  br label %next
next:
  %i1 = add i32 %i, 1
  %go = icmp ult i32 %i1, 6
  br i1 %go, label %head, label %end
end:
  %q = getelementptr i64, ptr %x, i32 %t
  store i64 1, ptr %q
  ret void
}

; A loop that two conditions end, of which neither is known to be the first.
; run 1 8 p,5,3
; is right
define ptx_kernel void @either_ends(ptr %x, i32 %n, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %k = mul i32 %i, 3
  %far = icmp ugt i32 %k, %t
  br i1 %far, label %end, label %next
next:
  %p = getelementptr i32, ptr %x, i32 %i
  store i32 1, ptr %p
  %i1 = add i32 %i, 1
  %both = add i32 %n, %m
  %go = icmp slt i32 %i1, %both
  br i1 %go, label %head, label %end
end:
  ret void
}

; A loop of no turns for some threads.
; run 1 8 p
; is right
define ptx_kernel void @some_no_turns(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = sub i32 %t, 3
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %head, label %end
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %head ]
  %p = getelementptr i32, ptr %x, i32 %i
  store i32 1, ptr %p
  %i1 = add i32 %i, 1
  %go = icmp slt i32 %i1, %n
  br i1 %go, label %head, label %end
end:
  %v = phi i32 [ 40, %entry ], [ %i1, %head ]
  %q = getelementptr i64, ptr %x, i32 %v
  store i64 1, ptr %q
  ret void
}

; An address that is moved by a loaded number of 64 bits, and by a sum that
; leaves them.
; run 1 8 p
; is right
define ptx_kernel void @sums_past_64(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = zext i32 %t to i64
  %b = add i64 %a, 9223372036854775807
  %c = add i64 %b, 9223372036854775807
  %p = getelementptr i8, ptr %x, i64 %c
  store i8 1, ptr %p
  %d = mul i64 %a, 4611686018427387904
  %e = mul i64 %d, 8
  %f = add i64 %e, %a
  %q = getelementptr i8, ptr %x, i64 %f
  store i8 1, ptr %q
  ret void
}

; A table whose elements are chosen by two tables.
; run 1 7 p
; is right
define ptx_kernel void @table_of_table(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = getelementptr [8 x i32], ptr @table, i32 0, i32 %t
  %k = load i32, ptr %e
  %m = and i32 %k, 7
  %f = getelementptr [8 x i32], ptr @table, i32 0, i32 %m
  %l = load i32, ptr %f
  %p = getelementptr i32, ptr %x, i32 %l
  store i32 1, ptr %p
  %wide = load i64, ptr %e, align 4
  %high = lshr i64 %wide, 32
  %q = getelementptr i64, ptr %x, i64 %high
  store i64 1, ptr %q
  ret void
}

; Indices that are elements of vectors: of all operations, in a loop, and beside
; an element that is loaded.
; run 2 9 p,5
; is right
define ptx_kernel void @elements_of_vectors(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v0 = insertelement <2 x i32> poison, i32 %t, i64 0
  %v = insertelement <2 x i32> %v0, i32 %b, i64 1
  %scaled = mul <2 x i32> %v, <i32 3, i32 100>
  %turned = shufflevector <2 x i32> %scaled, <2 x i32> <i32 7, i32 11>, <4 x i32> <i32 1, i32 3, i32 0, i32 2>
  %less = icmp slt <4 x i32> %turned, <i32 50, i32 50, i32 13, i32 0>
  %chosen = select <4 x i1> %less, <4 x i32> %turned, <4 x i32> <i32 40, i32 41, i32 42, i32 43>
  %low = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %chosen, <4 x i32> splat (i32 44))
  %short = trunc <4 x i32> %low to <4 x i8>
  %wide = sext <4 x i8> %short to <4 x i64>
  %k0 = extractelement <4 x i64> %wide, i64 0
  %p0 = getelementptr i32, ptr %x, i64 %k0
  store i32 1, ptr %p0
  %k2 = extractelement <4 x i64> %wide, i64 2
  %p2 = getelementptr i32, ptr %x, i64 %k2
  store i32 2, ptr %p2
  %k3 = extractelement <4 x i64> %wide, i64 3
  %p3 = getelementptr i32, ptr %x, i64 %k3
  store i32 3, ptr %p3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %w = insertelement <2 x i32> %v, i32 %i, i64 1
  %sum = add <2 x i32> %w, %v
  %odd = and <2 x i32> %sum, splat (i32 7)
  %first = extractelement <2 x i32> %odd, i64 0
  %second = extractelement <2 x i32> %odd, i64 1
  %both = mul i32 %first, 8
  %at = add i32 %both, %second
  %p = getelementptr i32, ptr %x, i32 %at
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %goes = icmp slt i32 %next, %n
  br i1 %goes, label %loop, label %end
end:
  ret void
}

; A pointer in front of the array is less than the array's.
; run 1 8 p
; is right
define ptx_kernel void @in_front(ptr %x) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = sub i32 %t, 4
  %i = sext i32 %k to i64
  %p = getelementptr i32, ptr %x, i64 %i
  %less = icmp ult ptr %p, %x
  %at = select i1 %less, i64 100, i64 200
  %q = getelementptr i32, ptr %x, i64 %at
  %r = getelementptr i32, ptr %q, i64 %i
  store i32 1, ptr %r
  ret void
}

; A loop over pointers, up to one.
; run 2 5 p,23
; is right
define ptx_kernel void @over_pointers(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n64 = sext i32 %n to i64
  %k = add i32 %t, %b
  %k64 = sext i32 %k to i64
  %end = getelementptr i32, ptr %x, i64 %n64
  %first = getelementptr i32, ptr %x, i64 %k64
  %any = icmp ult ptr %first, %end
  br i1 %any, label %up, label %done
up:
  %p = phi ptr [ %first, %entry ], [ %p2, %up ]
  store i32 1, ptr %p
  %p2 = getelementptr inbounds i32, ptr %p, i64 5
  %goes = icmp ult ptr %p2, %end
  br i1 %goes, label %up, label %done
done:
  ret void
}

; How often a loop runs depends on where the array is.
; run 1 4 p
; is undecided
define ptx_kernel void @to_a_line(ptr %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = ptrtoint ptr %x to i64
  %low = and i64 %a, 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %x, i64 %i
  store i32 %t, ptr %p
  %next = add i64 %i, 1
  %goes = icmp ule i64 %next, %low
  br i1 %goes, label %loop, label %end
end:
  ret void
}

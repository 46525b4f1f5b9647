! subroutine commented
module linear
contains
  subroutine solve(a, b)
    print *, 'subroutine fake'
  end subroutine solve
  real function norm(x)
  end function norm
end module linear

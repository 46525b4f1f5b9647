" function Commented()
function! s:Load(path) abort
endfunction

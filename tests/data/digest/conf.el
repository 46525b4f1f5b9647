;; (defun commented ())
(defun greet (name) "(defun fake ())" name)
(define (square x) (* x x))
(defstruct point x y)

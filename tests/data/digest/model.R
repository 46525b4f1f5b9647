# f <- function(x) x
fit_model <- function(data, formula = y ~ x) {
  helper = 1
  lapply(data, FUN = function(d) d)
}
predict.fit = function(object) "g <- function(y)"
`%+%` <- function(a, b) paste(a, b)

// class NotThis {};
#include <vector>

namespace app {

template <typename T, int N = 3>
class Stack : public Base<T> {
 public:
  Stack(int n) : size_(n), items_(n) {}
  ~Stack() override {}
  void push(const T &x) { items_.push_back(x); }
  bool operator==(const Stack &o) const { return size_ == o.size_; }

 private:
  int size_;
};

enum class Mode { Fast, Slow };

template <typename T>
auto make(int n) -> Stack<T> {
  auto f = [n](int x) { return x + n; };
  return Stack<T>(f(1));
}

std::string Printer::str(int indent) const {
  return R"x(void fake() { })x";
}

}  // namespace app

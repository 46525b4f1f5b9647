using System;
namespace Shop {
    // class Commented {}
    public class Order : IOrder {
        public int Id { get; set; }
        public Order(int id) { Id = id; }
        public async Task<List<int>> LoadAsync(string path) {
            if (path == null) { return null; }
            return @"c:\void Fake() {";
        }
        private bool IsOpen() => true;
    }
    interface IOrder { void Close(); }
    enum State { Open, Closed }
}

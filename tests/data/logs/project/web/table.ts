// A table of orders, with a line of sums below it.
import { amount, day, english, chinese, Style } from "./format";

export interface Order {
  id: string;
  date: string;
  item: string;
  quantity: number;
  cents: number;
}

export type Language = "en" | "zh";

const headings: Record<Language, string[]> = {
  en: ["Order", "Date", "Item", "Quantity", "Amount"],
  zh: ["订单", "日期", "商品", "数量", "金额"],
};

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

function row(cells: string[], tag = "td"): string {
  return "<tr>" + cells.map((c) => `<${tag}>${escape(c)}</${tag}>`).join("") + "</tr>";
}

export class OrderTable {
  private orders: Order[] = [];

  constructor(private language: Language) {}

  add(order: Order): this {
    this.orders.push(order);
    return this;
  }

  get sum(): number {
    return this.orders.reduce((cents, o) => cents + o.cents, 0);
  }

  html(): string {
    const style: Style = this.language === "zh" ? chinese : english;
    const rows = this.orders.map((o) => row([
      o.id, day(o.date, this.language), o.item, String(o.quantity), amount(o.cents, style),
    ]));
    const last = this.language === "zh" ? "合计" : "Sum";
    rows.push(row([last, "", "", "", amount(this.sum, style)], "th"));
    return "<table>" + row(headings[this.language], "th") + rows.join("") + "</table>";
  }
}

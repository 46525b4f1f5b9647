// How numbers and dates are shown in the shop's pages.

export interface Style {
  decimals: number;
  separator: string;
  point: string;
}

export const english: Style = { decimals: 2, separator: ",", point: "." };
export const chinese: Style = { decimals: 2, separator: ",", point: "." };
export const plain: Style = { decimals: 0, separator: "", point: "." };

/** Groups the digits of a whole number by threes: 1234567 is 1,234,567. */
export function group(digits: string, separator: string): string {
  let out = "";
  for (let i = 0; i < digits.length; i++) {
    if (i > 0 && (digits.length - i) % 3 === 0) {
      out += separator;
    }
    out += digits[i];
  }
  return out;
}

/** An amount in cents as a text: 123456 is 1,234.56 in English style. */
export function amount(cents: number, style: Style = english): string {
  const whole = Math.trunc(cents / 100).toString();
  const rest = Math.abs(cents % 100).toString().padStart(2, "0");
  const text = group(whole, style.separator);
  return style.decimals === 0 ? text : text + style.point + rest;
}

/** A date of the order files, 2026-03-09, as people write it. */
export function day(iso: string, language: "en" | "zh"): string {
  const [year, month, date] = iso.split("-").map(Number);
  if (language === "zh") {
    return `${year}年${month}月${date}日`;
  }
  const names = ["January", "February", "March", "April", "May", "June", "July",
    "August", "September", "October", "November", "December"];
  return `${date} ${names[month - 1]} ${year}`;
}

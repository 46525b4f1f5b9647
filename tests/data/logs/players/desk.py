# SPDX-License-Identifier: MIT
"""The tools of the booking office of a ferry line that does not exist.

The state is in memory and made from a seed.  A mistake by the caller gets an answer
too.
"""
import json

PORTS = {"NOR": "Norhaven", "GRE": "Grell Island", "EAS": "Easterby", "LUM": "Lumsay"}
PRICE = {("NOR", "GRE"): 2400, ("NOR", "LUM"): 3850, ("EAS", "GRE"): 3100,
         ("EAS", "LUM"): 4600}
CABINS = {"seat": 0, "inside": 4200, "outside": 5900, "family": 9900}
VEHICLES = {"bicycle": 500, "motorcycle": 1900, "car": 5400, "camper": 8800}
NAMES = ["Tarvo", "Melisk", "Junett", "Odwen", "Pirrel", "Sanvi", "Corrin", "Aldeth",
         "Brisca", "Fenno", "Halvet", "Ismery", "Kolbin", "Lurette", "Nimra", "Osgrid",
         "Quilla", "Rendis", "Torvela", "Wessin", "小禾", "阿岩", "青禾", "云舟"]
STATUS = ["none", "none", "none", "blue", "silver"]


class Desk:
    def __init__(self, seed):
        self.seed, self.bookings, self.sailings, self.customers = seed, {}, {}, {}
        self.seats_held = {}
        for day in range(1, 29):
            for (a, b), price in PRICE.items():
                for x, y in ((a, b), (b, a)):
                    for hour in (7, 13, 19):
                        code = f"{x}{y}-{day:02d}{hour:02d}"
                        self.sailings[code] = {
                            "sailing": code, "from": x, "to": y,
                            "departs": f"2026-05-{day:02d}T{hour:02d}:{10 * (day % 5):02d}",
                            "price": price + (600 if hour == 13 else 0),
                            "seats": seed.below(60), "car_deck": seed.below(12),
                            "cabins": {"inside": seed.below(5), "outside": seed.below(4),
                                       "family": seed.below(2)} if hour == 19 else {}}
        for i, name in enumerate(NAMES):
            mail = f"guest{i + 1:02d}@example.com"
            self.customers[mail] = {"customer": mail, "name": name,
                                    "status": STATUS[seed.below(len(STATUS))],
                                    "phone": f"+00 555 01{i + 10:02d}"}
        for mail in self.customers:
            for _ in range(2):
                code = self.code()
                sailing = list(self.sailings)[seed.below(len(self.sailings))]
                n = 1 + seed.below(4)
                self.bookings[code] = self.booking(code, mail, sailing, n, "seat", None,
                                                   seed.below(3) > 0)

    def code(self):
        letters = "BCDFGHJKLMNPQRSTVWXZ23456789"
        while True:
            code = "".join(letters[self.seed.below(len(letters))] for _ in range(6))
            if code not in self.bookings:
                return code

    def booking(self, code, mail, sailing, n, cabin, vehicle, flexible):
        s = self.sailings[sailing]
        total = n * s["price"] + CABINS[cabin] + VEHICLES.get(vehicle, 0)
        if flexible:
            total += 300 * n
        return {"booking": code, "customer": mail, "sailing": sailing,
                "departs": s["departs"], "passengers": n, "cabin": cabin,
                "vehicle": vehicle, "fare": "flexible" if flexible else "saver",
                "total": total, "state": "confirmed"}

    # --- tools: keyword arguments in, something for JSON out

    def find_customer(self, email):
        c = self.customers.get(email)
        if c is None:
            return {"error": "no customer with this address"}
        return dict(c, bookings=[b["booking"] for b in self.bookings.values()
                                 if b["customer"] == email])

    def get_booking(self, booking):
        return self.bookings.get(booking) or {"error": f"no booking {booking}"}

    def search_sailings(self, origin, destination, date):
        found = [s for s in self.sailings.values() if s["from"] == origin and
                 s["to"] == destination and s["departs"].startswith(date)]
        return {"date": date, "sailings": found}

    def book(self, email, sailing, passengers, cabin="seat", vehicle=None,
             fare="saver"):
        s = self.sailings.get(sailing)
        if s is None:
            return {"error": f"no sailing {sailing}"}
        if s["seats"] < passengers:
            return {"error": f"{s['seats']} seats left", "sailing": sailing}
        if cabin != "seat" and s["cabins"].get(cabin, 0) < 1:
            return {"error": f"no {cabin} cabin left", "sailing": sailing}
        if vehicle not in (None, "bicycle") and s["car_deck"] < 1:
            return {"error": "the car deck is full", "sailing": sailing}
        s["seats"] -= passengers
        if cabin != "seat":
            s["cabins"][cabin] -= 1
        if vehicle not in (None, "bicycle"):
            s["car_deck"] -= 1
        code = self.code()
        self.bookings[code] = self.booking(code, email, sailing, passengers, cabin,
                                           vehicle, fare == "flexible")
        return self.bookings[code]

    def change_booking(self, booking, sailing):
        b, s = self.bookings.get(booking), self.sailings.get(sailing)
        if b is None or s is None:
            return {"error": "no such booking or sailing"}
        if b["fare"] == "saver":
            return {"error": "a saver fare cannot be changed", "booking": booking}
        if s["seats"] < b["passengers"]:
            return {"error": f"{s['seats']} seats left", "sailing": sailing}
        old = b["total"]
        new = self.booking(booking, b["customer"], sailing, b["passengers"], b["cabin"],
                           b["vehicle"], True)
        self.bookings[booking] = new
        s["seats"] -= b["passengers"]
        return dict(new, difference=new["total"] - old)

    def cancel_booking(self, booking):
        b = self.bookings.get(booking)
        if b is None:
            return {"error": f"no booking {booking}"}
        if b["state"] == "cancelled":
            return {"error": "it was cancelled before", "booking": booking}
        share = 80 if b["fare"] == "flexible" else 0
        b["state"] = "cancelled"
        return {"booking": booking, "state": "cancelled",
                "refund": b["total"] * share // 100}

    def add_vehicle(self, booking, vehicle):
        b = self.bookings[booking]
        s = self.sailings[b["sailing"]]
        if vehicle != "bicycle" and s["car_deck"] < 1:
            return {"error": "the car deck is full", "sailing": b["sailing"]}
        if vehicle != "bicycle":
            s["car_deck"] -= 1
        b["vehicle"] = vehicle
        b["total"] += VEHICLES[vehicle]
        return b

    def call_colleague(self, reason):
        return {"ticket": f"T{1000 + self.seed.below(9000)}", "reason": reason}

    def answer(self, name, args):
        return json.dumps(getattr(self, name)(**args), ensure_ascii=False)

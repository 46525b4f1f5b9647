# SPDX-License-Identifier: MIT
"""Eighty conversations at a booking office.  desk.py computes the results of the
office's tools from its state, and the agent continues from these."""
import json

from desk import CABINS, PORTS, PRICE, VEHICLES, Desk
from player import Call

HEAD = {
    "title": "Conversations at the booking office of a ferry line",
    "start": "2026-04-20T06:00:00Z", "folder": "/srv/desk",
    "form": "conversations",
    "system": """You answer customers of a ferry line between four ports: Norhaven (NOR), Easterby (EAS), Grell Island (GRE) and Lumsay (LUM).

Rules of the house
- Ask for the customer's e-mail address or the code of the booking before you say anything about a booking.
- Before you book, change or cancel, repeat what you are going to do and what it costs, and wait for a yes.
- A saver fare cannot be changed. It can be cancelled, but nothing is paid back.
- A flexible fare can be changed as often as there are seats; the difference is paid or paid back. Of a cancelled one 80 percent are paid back.
- Cabins are on the evening sailings only. Bicycles always find room; for other vehicles the car deck must have a place.
- One booking has at most nine passengers. Larger groups are a matter for a colleague.
- You give no advice on weather, customs or medicine. What is not in these rules is a matter for a colleague.
- Amounts in the tools are in cents. Say them in euros. Answer in the customer's language.""",
}

HELLO = ["Good morning, what can I do for you?", "Hello, how can I help?",
         "Welcome to the booking office. What is it about?"]
YES = ["Yes, please.", "Yes, do that.", "That's right, go ahead.", "Yes. Thank you.",
       "Fine with me.", "OK, yes."]
THANKS = ["Thanks, that was all.", "Great, thank you.", "Perfect, bye.",
          "Thank you for being so quick.", "All right then. Thanks."]
BYE = ["You're welcome. Have a good crossing.", "Thank you, and see you on board.",
       "Glad to help. Goodbye.", "My pleasure. Have a good day."]


def euros(cents):
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d} euros"


class Talk:
    """A customer and the agent of one conversation."""

    def __init__(self, s, desk, number):
        self.s, self.desk, self.seed = s, desk, s.seed
        self.mail = f"guest{self.seed.below(len(desk.customers)) + 1:02d}@example.com"
        self.ids, self.more, self.who = [], 0, None
        s.thread(f"desk-{number:03d}")

    def one(self, *texts):
        return self.seed.one(texts)

    def customer(self, *texts):
        self.s.user(self.one(*texts))

    def agent(self, *texts):
        self.s.says(self.one(*texts))

    def id(self):
        """Some conversations reuse an id for another call."""
        if self.ids and self.seed.below(14) == 0:
            return self.one(*self.ids)
        letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        self.ids.append("call_" + "".join(self.one(*letters) for _ in range(24)))
        return self.ids[-1]

    def tool(self, *calls, text=None):
        """Make calls, given as (name, arguments); return the results as objects."""
        made, used = [], set()
        for name, args in calls:
            id = self.id()
            while id in used:
                id = self.id()
            used.add(id)
            made.append(Call(name, args, id=id, run=lambda c: {
                "text": self.desk.answer(c.tool, c.args)}))
        got = [json.loads(r) for r in self.s.says(text, *made)]
        return got[0] if len(got) == 1 else got

    def person(self):
        """Ask who the customer is; return what the desk knows about them."""
        if self.who is not None:
            self.who = self.tool(("find_customer", {"email": self.mail}))
            return self.who
        self.agent("Gladly. Under which e-mail address did you book?",
                   "May I have your e-mail address first?",
                   "I need your e-mail address to find you.")
        self.customer(self.mail, f"It's {self.mail}.", f"{self.mail}, I think.")
        self.who = self.tool(("find_customer", {"email": self.mail}))
        return self.who

    def end(self):
        if self.more > 0:
            self.more -= 1
            self.customer("One more thing.", "Wait, there is something else.",
                          "While I have you:", "And another question, please.")
            self.agent("Of course, go on.", "Yes?", "What is it?", "Please.")
            return
        self.customer(*THANKS)
        self.agent(*BYE)

    def sailings(self, origin, destination, day):
        return self.tool(("search_sailings", {
            "origin": origin, "destination": destination,
            "date": f"2026-05-{day:02d}"}))["sailings"]


def listed(sailings):
    return "\n".join(f"- {x['departs'][11:]}: {euros(x['price'])} each, {x['seats']} seats"
                     f" left" for x in sailings)


def route(t):
    a, b = t.one(*PRICE)
    return (a, b) if t.seed.below(2) else (b, a)


def booking(t):
    a, b = route(t)
    day, n = 1 + t.seed.below(28), 1 + t.seed.below(4)
    t.customer(f"I'd like to go from {PORTS[a]} to {PORTS[b]} on the {day} of May, "
               f"{n} people.",
               f"Do you still have places from {PORTS[a]} to {PORTS[b]} on {day} May? "
               f"There are {n} of us.",
               f"Hi! {n} tickets {PORTS[a]} - {PORTS[b]}, 2026-05-{day:02d}, please.")
    t.person()
    found = t.sailings(a, b, day)
    t.agent(f"On that day there are three sailings:\n{listed(found)}\nWhich one suits you?",
            f"These are the sailings of the day:\n{listed(found)}\nShall it be one of them?")
    pick = t.one(*found)
    cabin = t.one("seat", "inside", "outside") if pick["cabins"] else "seat"
    fare = t.one("saver", "flexible")
    t.customer(f"The one at {pick['departs'][11:]}" +
               (f", with an {cabin} cabin." if cabin != "seat" else ", just seats.") +
               (" And I want to be able to change it." if fare == "flexible" else ""))
    cost = n * pick["price"] + CABINS[cabin] + (300 * n if fare == "flexible" else 0)
    t.agent(f"That is {n} in the sailing at {pick['departs'][11:]}, {fare} fare, "
            f"{euros(cost)} together. Shall I book it?")
    t.customer(*YES)
    got = t.tool(("book", {"email": t.mail, "sailing": pick["sailing"], "passengers": n,
                           "cabin": cabin, "fare": fare}))
    if "error" in got:
        t.agent(f"I'm sorry, that does not work: {got['error']}. Shall I try the next "
                "sailing of the day?")
        other = max(found, key=lambda x: x["seats"])
        t.customer(f"Then the one at {other['departs'][11:]}, seats only, saver.")
        got = t.tool(("book", {"email": t.mail, "sailing": other["sailing"],
                               "passengers": n}))
    if "error" in got:
        t.agent("That one is full as well. I am sorry; another day may have places.")
    else:
        t.agent(f"Booked. Your code is {got['booking']}, the total {euros(got['total'])}.",
                f"It is done: booking {got['booking']}, {euros(got['total'])}.")
    t.end()


def change(t):
    t.customer("I have to move my crossing to another day.",
               "Something came up and I can't travel as planned. Can you change my booking?",
               "Need to rebook, please.")
    who = t.person()
    code = t.one(*who["bookings"])
    b = t.tool(("get_booking", {"booking": code}))
    t.agent(f"Is it {code}, {b['passengers']} passengers on {b['departs'][:10]}?")
    day = 1 + t.seed.below(28)
    t.customer(f"Yes, that one. Could it be {day} May instead?",
               f"Right. What about the {day} of May?")
    if b["state"] == "cancelled":
        t.agent("This booking has been cancelled already, so there is nothing to change.")
        t.end()
        return
    a, z = b["sailing"][:3], b["sailing"][3:6]
    found = t.sailings(a, z, day)
    fit = [x for x in found if x["seats"] >= b["passengers"]]
    if b["fare"] == "saver":
        t.agent("I'm afraid yours is a saver fare, and it cannot be changed. I can only "
                "cancel it, and nothing is paid back, or make a new booking beside it.")
        t.customer("That's hard. Nobody told me!", "Really? I thought I had paid for "
                   "that.", "Hm. Then leave it as it is.")
        t.agent(f"I understand that this is annoying. The fare was chosen when {code} was "
                "booked; I have no way around it. If you think that this was an error, "
                "a colleague can look at it.")
        t.customer("Yes, please let somebody look at it.", "Do that, please.")
        got = t.tool(("call_colleague", {
            "reason": f"{code}: customer says the fare should have been flexible"}))
        t.agent(f"A colleague will write to you. The number of your request is "
                f"{got['ticket']}.")
    elif not fit:
        t.agent("On that day no sailing has enough seats. Your booking stays as it is.")
    else:
        new = t.one(*fit)
        t.agent(f"At {new['departs'][11:]} there are {new['seats']} seats. Shall I move "
                f"{code} to it? A difference in price would be paid or paid back.")
        t.customer(*YES)
        got = t.tool(("change_booking", {"booking": code, "sailing": new["sailing"]}))
        t.agent(f"Moved to {new['departs'].replace('T', ', ')}. The difference is "
                f"{euros(got['difference'])}.")
    t.end()


def cancel(t):
    t.customer("Please cancel my booking.", "We can't come. How do I cancel?",
               "I want my money back for the crossing, we are all ill.")
    who = t.person()
    many = t.tool(*[("get_booking", {"booking": c}) for c in who["bookings"]],
                  text="I look at what you have booked.")
    many = many if isinstance(many, list) else [many]
    t.agent("You have these bookings:\n" + "\n".join(
        f"- {b['booking']}: {b['departs'][:10]}, {b['passengers']} passengers, {b['fare']}, "
        f"{b['state']}" for b in many) + "\nWhich one shall I cancel?")
    b = t.one(*many)
    t.customer(f"{b['booking']}, please.", f"The one on {b['departs'][:10]}.")
    back = b["total"] * 80 // 100 if b["fare"] == "flexible" else 0
    t.agent(f"Of {euros(b['total'])} you would get back {euros(back)}. Shall I really "
            "cancel it?")
    if back == 0 and t.seed.below(2):
        t.customer("Nothing? Then I'll keep it.", "No, leave it then.")
        t.agent("I have changed nothing.")
        t.end()
        return
    t.customer(*YES)
    got = t.tool(("cancel_booking", {"booking": b["booking"]}))
    if "error" in got:
        t.agent(f"That did not work: {got['error']}.")
    else:
        t.agent(f"It is cancelled. {euros(got['refund'])} go back to where they came from.")
    t.end()


def lost(t):
    t.customer("I can't find my confirmation any more.",
               "Which booking do I have? I deleted the mail.")
    who = t.person()
    code = who["bookings"][0]
    b = t.tool(("get_booking", {"booking": code}))
    t.agent(f"You have booked {b['departs'].replace('T', ' at ')}, code {code}, "
            f"{b['passengers']} passengers. Be at the pier half an hour before.")
    t.customer("And with a car?", "Is the bicycle in it?", "Do I need to print anything?")
    t.agent(f"The booking says: vehicle {b['vehicle'] or 'none'}. The code is enough, on "
            "paper or on a screen.")
    t.end()


def vehicle(t):
    kind = t.one(*VEHICLES)
    t.customer(f"Can I still take a {kind} along?", f"We'd like to add a {kind} to our "
               "booking.", f"My partner now wants to bring her {kind}. Is that possible?")
    who = t.person()
    code = t.one(*who["bookings"])
    b = t.tool(("get_booking", {"booking": code}))
    t.agent(f"For {code} on {b['departs'][:10]} a {kind} costs "
            f"{euros(VEHICLES[kind])} more. Shall I add it?")
    t.customer(*YES)
    got = t.tool(("add_vehicle", {"booking": code, "vehicle": kind}))
    if "error" in got:
        t.agent(f"I am sorry: {got['error']}. Only bicycles can come along on that "
                "sailing.")
        t.customer("Then two bicycles?", "All right, a bicycle, then.")
        got = t.tool(("add_vehicle", {"booking": code, "vehicle": "bicycle"}))
    t.agent(f"It is added. The total is {euros(got['total'])} now.")
    t.end()


def group(t):
    n = 10 + t.seed.below(30)
    a, b = route(t)
    t.customer(f"We are a school class, {n} people, and want to go to {PORTS[b]}.",
               f"How much is it for {n} persons from {PORTS[a]} to {PORTS[b]}?")
    t.agent("One booking has nine passengers at most. I can pass this on to a colleague "
            "who makes offers for groups. Which day would it be?")
    day = 1 + t.seed.below(27)
    t.customer(f"{day} May, and back the day after.")
    out, back = t.tool(
        ("search_sailings", {"origin": a, "destination": b, "date": f"2026-05-{day:02d}"}),
        ("search_sailings", {"origin": b, "destination": a,
                             "date": f"2026-05-{day + 1:02d}"}),
        text="Let me see how many seats there are on both days.")
    best = max(out["sailings"], key=lambda x: x["seats"])
    home = max(back["sailings"], key=lambda x: x["seats"])
    t.agent(f"The emptiest are {best['departs'][11:]} going ({best['seats']} seats) and "
            f"{home['departs'][11:]} coming back ({home['seats']} seats)." +
            (" That would be enough." if min(best["seats"], home["seats"]) >= n else
             " That is not enough for all of you in one sailing."))
    t.customer("Please pass it on.", "OK, let your colleague call us.")
    got = t.tool(("call_colleague", {
        "reason": f"group of {n}, {a} to {b}, 2026-05-{day:02d} and back the day after"}))
    t.agent(f"Done, your number is {got['ticket']}. You will hear from us within a day.")
    t.end()


def question(t):
    t.customer("Will the sea be rough next week?", "Do I need a passport for Grell?",
               "Is there something against seasickness on board?")
    t.agent("I can't advise on that, I only know bookings and sailings. Is there anything "
            "about your crossing that I can look up?")
    a, b = route(t)
    day = 1 + t.seed.below(28)
    t.customer(f"Yes: when is the last boat from {PORTS[a]} to {PORTS[b]} on {day} May?")
    found = t.sailings(a, b, day)
    t.agent(f"At {found[-1]['departs'][11:]}, and it has {found[-1]['seats']} seats left.")
    t.end()


def chinese(t):
    a, b = route(t)
    day, n = 1 + t.seed.below(28), 1 + t.seed.below(3)
    t.customer(f"你好，我想订五月{day}日从{PORTS[a]}到{PORTS[b]}的船票，{n}个人。",
               f"请问五月{day}日去{PORTS[b]}还有票吗？我们{n}位，从{PORTS[a]}出发。")
    t.agent("您好，请先告诉我您的邮箱地址。", "好的，请问您预订时用的邮箱是什么？")
    t.customer(t.mail, f"邮箱是 {t.mail}。")
    t.tool(("find_customer", {"email": t.mail}))
    found = t.sailings(a, b, day)
    t.agent("当天有三班船：\n" + "\n".join(
        f"- {x['departs'][11:]} 开船，每人 {x['price'] // 100}.{x['price'] % 100:02d} 欧元，"
        f"还剩 {x['seats']} 个座位" for x in found) + "\n您想坐哪一班？")
    pick = max(found, key=lambda x: x["seats"])
    t.customer(f"{pick['departs'][11:]} 那一班，要能改签的票。",
               f"就 {pick['departs'][11:]} 的吧。万一有事能改吗？")
    cost = n * (pick["price"] + 300)
    t.agent(f"可以改签的是灵活票，{n}位一共 {cost // 100}.{cost % 100:02d} 欧元。确认预订吗？")
    t.customer("确认。", "好的，订吧。", "可以，谢谢。")
    got = t.tool(("book", {"email": t.mail, "sailing": pick["sailing"], "passengers": n,
                           "fare": "flexible"}))
    if "error" in got:
        t.agent(f"抱歉，没有订成（{got['error']}）。要不要换一天？")
        t.customer("那我再想想，谢谢。")
    else:
        t.agent(f"订好了，订单号是 {got['booking']}。请提前半小时到码头。")
        t.customer("好的，谢谢！", "没有别的问题了，谢谢。")
    t.agent("不客气，祝您旅途愉快。", "谢谢您，再见。")


KINDS = [booking, change, cancel, chinese, vehicle, booking, lost, group, change, question,
         booking, cancel]


def play(s):
    desk = Desk(s.seed)
    for i in range(80):
        t = Talk(s, desk, i + 1)
        if t.seed.below(3) == 0:
            t.customer("Hello?", "Hi there", "Good morning", "Is anybody there?")
            t.agent(*HELLO)
        first = KINDS[i % len(KINDS)]
        if i % 5 == 4 and first is not chinese:     # who has much to ask
            t.more = 3 + t.seed.below(5)
            while t.more > 0:
                t.one(booking, change, cancel, vehicle, lost, question)(t)
        first(t)

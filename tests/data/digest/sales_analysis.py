"""销售数据分析

def not_a_function(): this is text
"""
import csv  # def nor_this(): no

SQL = """
class NotAClass:
    def neither(self): pass
"""


def load_data(path):
    return list(csv.reader(open(path)))


async def clean_data(rows, *, text='def quoted(): "'):
    def inner(x):
        return x
    return [inner(r) for r in rows]


class Report(object):
    def __init__(self):
        self.rows = []

    def render(self): return "class Fake:"

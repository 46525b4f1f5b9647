# SPDX-License-Identifier: MIT
"""A session in Chinese: a manual is completed, and a question about data answered."""
from player import edit, grep, listing, read, shell, write

HEAD = {
    "title": "用中文整理手册并回答数据问题",
    "start": "2026-03-06T01:20:00Z", "folder": "/home/dev/tally",
    "system": "你在当前目录里协助维护一个小程序。先看清楚再动手，改动要小，"
              "每次改动之后说明原因。除代码和路径以外，一律用中文回答。",
}


def play(s):
    s.user("你好，我刚接手这个项目，请先带我看看都有些什么文件。")
    s.says("好的，我先把目录列出来，再读一下中文手册。", listing(), read("docs/手册.md"),
           think="对方刚接手，需要的是整体印象，不必一开始就讲细节。")
    s.says("项目不大：`src` 里是用 C 写的主程序 tally，`tools` 里是 Python 写的统计和检查"
           "工具，`web` 里是网页用的 TypeScript 代码，`scripts` 里有一个生成报表的脚本。"
           "手册有中英文两份。想先看哪一部分？")
    s.user("天气数据那个文件有几行？平均气温是多少？用工具算，别心算。")
    s.says("我来读文件，同时运行统计工具。", read("data/weather.csv", see="乌鲁木齐"),
           shell("python3 tools/stats.py 1 data/weather.csv", "计算气温的平均值和中位数",
                 see="mean 18.67"))
    s.says("除标题外共六行，平均气温 18.67 度。不过工具给出的中位数是 21，"
           "这不对：六个数排好序是 8、11、19、21、24、29，中间两个数的平均值应该是 20。",
           think="偶数个数字的中位数取了靠后的那一个。手册最后一段写的才是正确的定义。")
    s.user("真的吗？那请你改好，并且证明给我看。")
    s.says("先看代码和现有的测试。", read("tools/stats.py"), grep("median", "tools"))
    s.says("测试里其实已经写了正确的期望值，我先运行一次，应当失败。",
           shell("python3 tools/test_stats.py", "运行统计工具的测试", see="1 failed"))
    s.says("果然失败。现在修改函数，个数为偶数时取中间两个数的平均值。",
           edit("tools/stats.py", "    return values[len(values) // 2]\n",
                "    half = len(values) // 2\n"
                "    if len(values) % 2 == 0:\n"
                "        return (values[half - 1] + values[half]) / 2\n"
                "    return values[half]\n"))
    s.says(None, shell("python3 tools/test_stats.py && python3 tools/stats.py 1 "
                       "data/weather.csv", "再次运行", see="median 20.00"))
    s.says("六个测试全部通过，天气数据的中位数现在是 20.00。")
    s.user("很好。手册里还缺一节，说明每个命令怎么用，请照着英文版补上。")
    s.says("我读一下英文版的相应部分。", read("docs/guide.md"))
    s.says("英文版在 Programs 一节里列出了四个程序。我按同样的顺序写成中文，"
           "放在“文件说明”和“常见问题”之间。",
           edit("docs/手册.md", "## 常见问题\n",
                "## 命令\n\n"
                "- `build/tally 列号 文件`：拆分每一行，并把某一列的数字加起来。列号从零开始。\n"
                "- `tools/stats.py 列号 文件…`：给出个数、平均值、中位数和极差。\n"
                "- `tools/check_orders.py 文件…`：找出总价不符、数量小于一、订单号重复的行。\n"
                "- `scripts/report.sh 列号 文件…`：每个文件输出一行总和。\n\n"
                "以上命令都在项目的根目录里运行。\n\n"
                "## 常见问题\n"))
    s.says(None, read("docs/手册.md"), think="再通读一遍，看语气是否一致，标点是否为全角。")
    s.user("“极差”这个词同事可能不懂，换个说法。")
    s.says("改成“最大值与最小值之差”，这样不用解释。",
           edit("docs/手册.md", "中位数和极差", "中位数，以及最大值与最小值之差"))
    s.user("三月份的订单里，寄到成都的有多少单？总金额多少元？")
    s.says("先生成订单文件，再筛选三月份寄往成都的行。",
           shell("make -s data && grep -c 成都 data/orders/03.csv", "数一数",
                 see="12 files"),
           shell("grep 成都 data/orders/03.csv", "列出这些订单", see="成都"))
    total = s.says("金额以分为单位，用 Python 求和最稳妥，因为商品名里可能有逗号。",
                   shell("python3 -c \"import csv; r = [x for x in csv.reader(open('data/"
                         "orders/03.csv', encoding='utf-8')) if x[6] == '成都']; "
                         "print(len(r), sum(int(x[5]) for x in r))\"", "求和"))[0]
    n, cents = map(int, total.split())
    s.says(f"三月份寄到成都的订单共 {n} 单，总金额 {cents // 100}.{cents % 100:02d} 元。"
           "需要提醒的是，订单文件里可能有录入错误，我还没有检查。")
    s.user("那就检查一下三月份的，只报告，不要改。")
    s.says(None, shell("python3 tools/check_orders.py data/orders/03.csv", "检查三月份",
                       see="3 mistakes"))
    s.says("三月份有三处错误：一处总价与数量、单价不符，一处数量多打了负号，"
           "还有一个订单号出现了两次。按您的要求，我没有改动任何文件。")
    s.user("行。最后写一份简短的交接说明，放在 docs 里。")
    s.says("写好后我再读一遍。",
           write("docs/交接.md",
                 "# 交接说明\n\n"
                 "1. 中位数的算法已改正，测试全部通过。\n"
                 "2. 中文手册新增“命令”一节，与英文版一致。\n"
                 "3. 三月份订单有三处录入错误，尚未更正，规则见手册。\n"
                 "4. `make test` 目前仍会失败：C 程序会丢掉行尾的空字段，还没有人处理。\n"))
    s.says("第四条我要核实，不能凭印象写。", shell("make test", "运行全部测试",
                                                see="4 passed, 4 failed"))
    s.says("核实过了：C 程序的八个测试中有四个失败，除了行尾的空字段，"
           "还有两个与换行符有关。我把说明写得更准确一些。",
           edit("docs/交接.md", "C 程序会丢掉行尾的空字段，还没有人处理",
                "C 程序有四个测试未通过，涉及行尾的空字段和换行符，还没有人处理"))
    s.says("交接说明写在 `docs/交接.md` 里，一共四条。今天改动的文件是 `tools/stats.py` 和"
           "两份文档，没有动订单数据。")

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write small documents into the current folder: the parts of ECMA-376,
OpenDocument 1.3 and EPUB 3.3 that say what is in them."""
import zipfile

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def pack(name, **parts):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z:
        for path, xml in parts.items():
            z.writestr(path.replace("__", "/").replace("_xml", ".xml"), xml)


def para(text, style="", more=""):
    props = '<w:pStyle w:val="%s"/>' % style if style else ""
    return "<w:p><w:pPr>%s%s</w:pPr>%s</w:p>" % (props, more, "".join(
        '<w:r><w:t xml:space="preserve">%s</w:t></w:r>' % t
        for t in text.split("|")))


pack("a.docx", word__styles_xml="""<w:styles %s>
<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:styleId="Low"><w:name w:val="heading 9x"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
<w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
<w:style w:styleId="T"><w:name w:val="Text"/></w:style></w:styles>""" % W,
     word__document_xml="<w:document %s><w:body>%s</w:body></w:document>" % (
         W, para("The title", "Titel") + para("One &amp; |two", "berschrift1")
         + para("text", "T") + para("") + "<w:p/>" +
         para("Based on it", "Own") + para("not one", "Low") +
         para("By its level", "", '<w:outlineLvl w:val="2"/>') +
         '<w:p><w:r><w:del><w:delText>gone</w:delText></w:del></w:r></w:p>'))


# The names of parts are free, as relationships say which is which; SharePoint
# writes document2.xml.
TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
REL = "<Relationship Id='r%d' Type='%s%s' Target='%s'%s/>"
pack("other.docx", **{
    "_rels/.rels": "<Relationships>%s%s</Relationships>" % (
        REL % (1, TYPE, "extended-properties", "docProps/app.xml", ""),
        REL % (2, TYPE, "officeDocument", "/word/document2.xml", "")),
    "word/_rels/document2.xml.rels": "<Relationships>%s%s</Relationships>" % (
        REL % (1, TYPE, "styles", "http://x/", " TargetMode='External'"),
        REL % (2, TYPE, "styles", "../parts/s&amp;t.xml", "")),
    "parts/s&t.xml": """<w:styles %s><w:style w:styleId="A"><w:name
w:val="heading 1"/></w:style></w:styles>""" % W,
    "word/document.xml": "<w:document %s><w:body>%s</w:body></w:document>" % (
        W, para("an old one", "A")),
    "word/document2.xml": "<w:document %s><w:body>%s</w:body></w:document>" % (
        W, para("Found", "A") + para("text", "T"))})


def slide(*shapes):
    return "<p:sld><p:cSld><p:spTree>%s</p:spTree></p:cSld></p:sld>" % "".join(
        '<p:sp><p:nvSpPr><p:nvPr>%s</p:nvPr></p:nvSpPr><p:txBody>%s'
        '</p:txBody></p:sp>' % (ph, "".join(
            "<a:p><a:r><a:t>%s</a:t></a:r></a:p>" % t for t in text.split("|")))
        for ph, text in shapes)


pack("a.pptx", ppt__presentation_xml="""<p:presentation><p:sldIdLst>
<p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/><p:sldId id="258" r:id="r9"/>
</p:sldIdLst></p:presentation>""",
     ppt___rels__presentation_xml=b"",
     **{"ppt/_rels/presentation.xml.rels": """<Relationships>
<Relationship Id="r1" Target="slides/slide1.xml"/>
<Relationship Id="r2" Target="/ppt/slides/slide2.xml"/></Relationships>""",
        "ppt/slides/slide1.xml": slide(
            ("<p:ph idx='1'/>", "no title"), ("<p:ph type='title'/>",
                                              "Second|line")),
        "ppt/slides/slide2.xml": slide(("<p:ph type='ctrTitle'/>", "First"))})


def odf(name, body):
    pack(name, content_xml="<office:document-content><office:body>%s"
         "</office:body></office:document-content>" % body)


odf("a.odt", """<office:text><text:tracked-changes><text:h>gone</text:h>
</text:tracked-changes><text:h text:outline-level="1"><text:bookmark-start/>One
<text:span>and</text:span><text:s/>two</text:h><text:p>text</text:p>
<text:h text:outline-level="2">Three<text:line-break/>four</text:h></office:text>""")
cell = '<table:table-cell office:value-type="%s"%s><text:p>%s</text:p></table:table-cell>'
row = "<table:table-row%s>%s</table:table-row>"
odf("a.ods", """<office:spreadsheet><table:table table:name="S &amp; T">
<table:table-column/>%s%s%s</table:table><table:table table:name="Empty">%s</table:table>
</office:spreadsheet>""" % (
    row % ("", cell % ("string", "", "name") + cell % ("string", "", "a &lt; b")),
    row % (' table:number-rows-repeated="3"', cell % ("float", "", "1") +
           "<table:table-cell/>" + cell % (
               "float", ' table:number-columns-repeated="2"', "2")),
    row % (' table:number-rows-repeated="1048572"',
           '<table:table-cell table:number-columns-repeated="16384"/>'),
    row % ("", "<table:table-cell/>")))
odf("one.ods", '<office:spreadsheet><table:table table:name="S">%s%s'
    "</table:table></office:spreadsheet>" % (
        row % ("", cell % ("string", "", "x") + cell % ("float", "", "7")),
        row % ("", cell % ("float", "", "1"))))
odf("a.odp", """<office:presentation><draw:page draw:name="p1">
<draw:frame presentation:class="title"><draw:text-box><text:p>First</text:p>
</draw:text-box></draw:frame><draw:frame presentation:class="outline"><draw:text-box>
<text:p>text</text:p></draw:text-box></draw:frame></draw:page>
<draw:page draw:name="p2"/></office:presentation>""")
pack("a.epub", **{
    "META-INF/container.xml":
    '<container><rootfiles><rootfile full-path="OPS/p.opf"/></rootfiles></container>',
    "OPS/p.opf": '<package><metadata><dc:title id="t">A book</dc:title></metadata>'
    '<manifest><item href="nav.xhtml" properties="nav"/></manifest></package>',
    "OPS/nav.xhtml": "<html><body><nav><ol><li><a href='1'>Chapter <i>one</i></a>"
    "</li><li><a href='2'>Two</a></li></ol></nav><nav><a>page 1</a></nav></body></html>"})
pack("bare.docx", other="")
pack("none.zip")
pack("deep.odt", content_xml="<office:body><office:text>" + "<text:h>" * 200000)
pack("big.docx", word__document_xml="<w:document><w:body>" + "<w:p>" +
     '<w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>A</w:t></w:r></w:p>' +
     " " * 300000000)
pack("entity.odt", content_xml='<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b '
     '"&a;&a;">]><office:body><office:text><text:h>&b; x</text:h></office:text>')

"""Small true photos for Scripts/fuzz-seeds, whole to their last end marker."""
import struct


def whole_photos():
    """Small photos in every layout of depth, whole to the last end marker, behind a byte that says what to change."""

    def segment(marker: int, payload: bytes) -> bytes:
        return struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload

    def image(*segments: bytes) -> bytes:
        frame = segment(0xC0, bytes([8, 0, 1, 0, 1, 1, 1, 0x11, 0]))
        scan = segment(0xDA, bytes([1, 1, 0, 0, 63, 0])) + b"\x2a"
        return b"\xff\xd8" + b"".join(segments) + frame + scan + b"\xff\xd9"

    def xmp(text: str, signature: bytes = b"http://ns.adobe.com/xap/1.0/\0") -> bytes:
        packet = (
            '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
            f'<rdf:Description rdf:about="" {text}</rdf:RDF></x:xmpmeta>'
        ).encode()
        if signature.endswith(b"F"):
            signature += struct.pack(">II", len(packet), 0)
        return segment(0xE1, signature + packet)

    exif = segment(0xE1, b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0))
    pixels = 'xmlns:a="http://ns.apple.com/pixeldatainfo/1.0/" a:AuxiliaryImageType='
    apple = image(xmp(pixels + '"disparity" a:FloatMinValue="1" a:FloatMaxValue="2"/>'))
    matte = image(xmp(pixels + '"urn:com:apple:photo:2019:aux:semanticskinmatte"/>'))
    entries = b"".join(struct.pack(">IIIHH", *entry) for entry in ((0x30000, 9, 0, 0, 0), (0, 9, 99, 0, 0)))
    directory = struct.pack(">HHHIIHHII", 2, 0xB001, 4, 1, 2, 0xB002, 7, 32, 38) + bytes(4)
    index = segment(0xE2, b"MPF\0MM\0*" + struct.pack(">I", 8) + directory + entries)
    guid = b"0123456789ABCDEF" * 2
    gdepth = image(
        xmp(
            'xmlns:D="http://ns.google.com/photos/1.0/depthmap/" xmlns:n="http://ns.adobe.com/xmp/note/" D:Near="1" D:Far="2" '
            f'n:HasExtendedXMP="{guid.decode()}"/>'
        ),
        xmp(
            'xmlns:D="http://ns.google.com/photos/1.0/depthmap/" D:Data="AAAA"/>',
            b"http://ns.adobe.com/xmp/extension/\0" + guid,
        ),
    )
    dd = "http://ns.google.com/photos/dd/1.0/"
    item = '<rdf:li><C:Item I:Mime="image/jpeg" I:Length="{}" I:DataURI="{}"/></rdf:li>'
    dynamic = image(
        exif,
        xmp(
            " ".join(
                f'xmlns:{name}="{dd}{path}/"'
                for name, path in (("C", "container"), ("I", "item"), ("V", "device"), ("M", "depthmap"), ("A", "camera"))
            )
            + '><V:Container rdf:parseType="Resource"><C:Directory><rdf:Seq>' + item.format(0, "p")
            + item.format(len(matte), "d") + '</rdf:Seq></C:Directory></V:Container><V:Cameras><rdf:Seq><rdf:li><V:Camera>'
            '<A:DepthMap M:DepthURI="d" M:Near="1" M:Far="2"/></V:Camera></rdf:li></rdf:Seq></V:Cameras></rdf:Description>'
        ),
    )
    for choice in (0, 1, 33, 56, 65, 129, 128, 2):
        for photo in (image(exif, index) + apple + matte, gdepth, dynamic + matte + b"tail", image() + apple + bytes(9)):
            yield bytes([choice]) + photo

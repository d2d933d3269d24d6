"""What Tools/convert-model writes, and how it ends."""
from files import Folder, convert, core_ml, field, layer


class CommandTests(Folder):
    def test_wrong_arguments_end_with_64(self):
        for arguments in ([], ["a"], ["a", "-o", "b.txt"], ["a", "b", "-o", "c.onnx"]):
            self.assertEqual(convert(*arguments).returncode, 64)

    def test_what_cannot_be_read_or_written_ends_with_65(self):
        self.assertEqual(convert(self.folder / "absent", "-o", self.folder / "a.onnx").returncode, 65)
        (self.folder / "a.mlmodel").write_bytes(core_ml(layer(130, field(10, b""))))
        self.assertEqual(convert(self.folder / "a.mlmodel", "-o", self.folder / "none/a.onnx").returncode, 65)
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_a_missing_package_ends_with_69_and_what_installs_it(self):
        # Without the folders of packages.
        run = convert("a", "-o", "b.onnx", python=["-S", "-E"])
        self.assertEqual(run.returncode, 69)
        self.assertIn("pip install numpy onnx", run.stderr)

    def test_the_model_and_its_card_are_all_that_is_written(self):
        (self.folder / "a.mlmodel").write_bytes(core_ml(layer(130, field(10, b"")), height=228, width=304))
        self.converted("a.mlmodel")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.json", "a.mlmodel", "a.onnx"])

    def test_what_exists_is_replaced_only_when_asked(self):
        paths = [self.folder / "a.onnx", self.folder / "a.json"]
        arguments = [self.folder / "a.mlmodel", "-o", paths[0]]
        arguments[0].write_bytes(core_ml(layer(130, field(10, b""))))
        for kept in (paths, paths[:1], paths[1:]):
            for path in kept:
                path.write_text("of the user")
            run = convert(*arguments)
            self.assertEqual(run.returncode, 73, run.stderr)
            self.assertEqual(run.stderr, f"convert-model: {kept[0]} exists; --force replaces it\n")
            self.assertEqual([path.read_text() for path in paths if path.exists()], ["of the user"] * len(kept))
            self.assertEqual(convert(*arguments, "--force").returncode, 0)
            self.assertTrue(all(path.stat().st_size > len("of the user") for path in paths))
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.json", "a.mlmodel", "a.onnx"])
            for path in paths:
                path.unlink()

    def test_where_the_card_cannot_be_placed_the_model_is_not_either(self):
        (self.folder / "a.mlmodel").write_bytes(core_ml(layer(130, field(10, b""))))
        (self.folder / "a.json").mkdir()
        arguments = [self.folder / "a.mlmodel", "-o", self.folder / "a.onnx"]
        self.assertEqual(convert(*arguments).returncode, 73)
        self.assertEqual(convert(*arguments, "--force").returncode, 65)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.json", "a.mlmodel"])
        (self.folder / "a.onnx").write_text("of the user")
        self.assertEqual(convert(*arguments, "--force").returncode, 65)
        self.assertEqual((self.folder / "a.onnx").read_text(), "of the user")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.json", "a.mlmodel", "a.onnx"])

    def test_a_file_that_has_a_temporary_name_already_stays(self):
        (self.folder / "a.mlmodel").write_bytes(core_ml(layer(130, field(10, b""))))
        for name in ("a.onnx", "a.json"):
            # The tool, in a process whose number is known before it starts.
            program = (
                "import os, pathlib, runpy, sys; sys.argv = sys.argv[1:]; "
                "sys.path.insert(0, os.path.dirname(sys.argv[0])); "
                f"path = pathlib.Path(sys.argv[1]).with_name(f'.{name}.{{os.getpid()}}'); "
                "path.write_text('of another'); runpy.run_path(sys.argv[0], run_name='__main__')")
            run = convert(self.folder / "a.mlmodel", "-o", self.folder / "a.onnx", python=["-c", program])
            self.assertEqual(run.returncode, 65, run.stderr)
            left = [path for path in self.folder.iterdir() if path.name != "a.mlmodel"]
            self.assertEqual([path.read_text() for path in left], ["of another"])
            left[0].unlink()

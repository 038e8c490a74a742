import { items, NET10, type ProvokingBuild, projectBuild, sdkProject } from './build.js';

const fsharp = (files: Readonly<Record<string, string>>) => ({
  files: {
    ...files,
    'p.fsproj': sdkProject(NET10, items(...Object.keys(files).map((file) => `<Compile Include="${file}" />`))),
  },
});

/** F# reads all files before it checks the types of any. */
const PARSED = {
  'FS0010.fs': 'module Unexpected\nlet a = )\n',
  'FS0058.fs': 'module Offside\nlet f x =\n    match x with\n    | 1 -> (2,\n  3)\n    | _ -> (0, 0)\n',
};
const CHECKED = {
  'FS0001.fs': 'module Types\nlet a: int = "a"\n',
  'FS0025.fs': 'module Matches\nlet f (x: bool) = match x with true -> 1\n',
  'FS0039.fs': 'module Names\nlet a = nope\n',
};

/** Visual Basic looks at bodies only when all declarations are right. */
const VISUAL_BASIC = {
  BC30002: 'Class C\n  Dim a As Nope\nEnd Class\n',
  BC30451: 'Class D\n  Sub M()\n    nope = 1\n  End Sub\nEnd Class\n',
};

/** F# and Visual Basic; the F# library comes with the SDK. */
export const OTHER_LANGUAGES: ProvokingBuild = {
  ...projectBuild('F# and Visual Basic', {
    parsed: fsharp(PARSED),
    checked: fsharp(CHECKED),
    ...Object.fromEntries(
      Object.entries(VISUAL_BASIC).map(([code, text]) => [
        code,
        { files: { 'Source.vb': text, 'p.vbproj': sdkProject(NET10) } },
      ]),
    ),
  }),
  codes: [PARSED, CHECKED, VISUAL_BASIC].flatMap(Object.keys).map((name) => name.replace(/\.fs$/, '')),
};

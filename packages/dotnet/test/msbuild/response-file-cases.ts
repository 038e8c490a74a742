/** Response files in all the places where MSBuild looks for them, beside a project. */
export const FILES = {
  'Directory.Build.rsp': [
    '# a comment -p:Comment=1',
    '-p:A=1;B=2 /p:C=3 --property:D="x;y" -nologo',
    '/t:Other -logger:Evil.dll @more.rsp @more.rsp',
    '-p:"E=a b" -p:F=%MORTISE_RSP% -p:G=%3B -p:H= -p:J=%constructor%',
  ].join('\r\n'),
  'src/App/more.rsp': '-p:A=again;I=9',
  'src/App/MSBuild.rsp': '-PROPERTY:b=last',
  'src/App/App.proj': '<Project><PropertyGroup><Own>1</Own></PropertyGroup></Project>',
};
/** The variable that one of them names. */
export const ENV = { MORTISE_RSP: 'from-the-environment' };
/** The properties that they set for the project. */
export const EXPECTED = {
  A: 'again',
  b: 'last',
  C: '3',
  D: 'x;y',
  E: 'a b',
  F: ENV.MORTISE_RSP,
  G: '%3B',
  H: '',
  I: '9',
  J: '%constructor%',
};

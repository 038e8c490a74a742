import { dirname } from 'node:path';
import { childrenOf, HAS_PROC, programOf, readProc } from '@mortise/process';

/**
 * The CLI sets this variable for processes of the build, but not for the program that `dotnet run` starts (SDK
 * 10.0.401).
 */
const BUILD_VARIABLE = '\0MSBuildLoadMicrosoftTargetsReadOnly=';

/**
 * True if `dotnet run` has started the program that it built, which is a child process that is not part of the build.
 * @param pid the process id of `dotnet run`
 * @returns undefined on platforms where that cannot be observed (all but Linux)
 */
export function hasStartedApp(pid: number): boolean | undefined {
  if (!HAS_PROC) return undefined;
  const own = readProc(pid, 'cmdline');
  return childrenOf(pid).some((child) => {
    const command = readProc(child, 'cmdline');
    // Between fork and exec a child looks like its parent.
    if (command === '' || command === own) return false;
    const program = programOf(child);
    const environment = readProc(child, 'environ');
    // The child has ended since its command line was read. A process that lives so briefly is not the user's program.
    if (program === '' || environment === '') return false;
    return !`\0${environment}`.includes(BUILD_VARIABLE) && !isOfSdk(program, command, pid);
  });
}

/** True for a program of the SDK, such as the compiler server, which the CLI starts for a file-based app. */
function isOfSdk(program: string, command: string, cli: number): boolean {
  const host = programOf(cli);
  const sdk = `${dirname(host)}/sdk/`;
  if (program !== host) return program.startsWith(sdk);
  // A program is `dotnet x.dll` or `dotnet exec x.dll`. Anything else is a command of the CLI, such as the
  // `dotnet clean file-based-apps --automatic` with which the first run of a file-based app begins (SDK 10).
  const [, first = '', second = ''] = command.split('\0');
  const isProgram = first === 'exec' || /\.dll$/i.test(first);
  return !isProgram || [first, second].some((argument) => argument.startsWith(sdk));
}

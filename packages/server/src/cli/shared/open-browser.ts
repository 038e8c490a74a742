import { spawn } from 'node:child_process';

/** The command that opens an address on each platform. The default is `xdg-open`. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the person's browser. A failure is ignored, because the address is printed too. */
export function openBrowser(url: string): void {
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => {});
  child.unref();
}

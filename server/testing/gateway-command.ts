import { execFile } from 'node:child_process';

/** Node's arguments for `npm run gateway -- …`. */
export const commandOf = (args: readonly string[]): string[] => [
  '--import',
  'tsx',
  'server/cli/gateway.ts',
  ...args,
];

/** The operator's command as a process, with only the variables in `env`; `input` is what it reads. */
export function runGateway(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input = '',
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, commandOf(args), { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

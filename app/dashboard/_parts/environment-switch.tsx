'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { ENVIRONMENTS, type Environment } from '#server/merchants/types.ts';

const ON = {
  sandbox: 'bg-caution-soft font-semibold text-caution',
  production: 'bg-positive-soft font-semibold text-positive',
};

/** The same screen in the other environment; from a single thing, the list that it stood in. */
export function EnvironmentSwitch({
  environment,
  label,
  names,
}: {
  environment: Environment;
  label: string;
  names: Record<Environment, string>;
}) {
  const section = usePathname().split('/')[3] ?? '';
  return (
    <nav aria-label={label}>
      <ul className="flex rounded-control border border-line bg-surface p-0.5 text-sm">
        {ENVIRONMENTS.map((each) => (
          <li key={each} className="flex-1">
            <Link
              href={section === '' ? `/dashboard/${each}` : `/dashboard/${each}/${section}`}
              prefetch={false}
              aria-current={each === environment ? 'true' : undefined}
              className={`block rounded-lg px-3 py-1.5 text-center ${
                each === environment ? ON[each] : 'text-muted hover:text-ink'
              }`}
            >
              {names[each]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

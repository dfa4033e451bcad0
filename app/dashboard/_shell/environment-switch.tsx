'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { PageLink } from '#app/_ui/page-link.tsx';
import { ENVIRONMENTS, type Environment } from '#server/merchants/types.ts';
import { inEnvironment } from './other-environment.ts';

const ON = {
  sandbox: 'bg-caution-soft font-semibold text-caution',
  production: 'bg-positive-soft font-semibold text-positive',
};

/** The present environment, and a link to the same screen in the other. */
export function EnvironmentSwitch({
  environment,
  label,
  names,
}: {
  environment: Environment;
  label: string;
  names: Record<Environment, string>;
}) {
  const path = usePathname();
  const search = useSearchParams().toString();
  return (
    <nav aria-label={label} className="min-w-0">
      <ul className="flex flex-wrap rounded-control border border-line bg-surface p-0.5 text-sm">
        {ENVIRONMENTS.map((each) => (
          <li key={each} className="flex-1">
            <PageLink
              href={inEnvironment(each, { path, search })}
              aria-current={each === environment ? 'true' : undefined}
              className={`block rounded-lg px-2 py-1.5 pointer-coarse:py-2 text-center sm:px-3 ${
                each === environment ? ON[each] : 'text-muted hover:text-ink'
              }`}
            >
              {names[each]}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

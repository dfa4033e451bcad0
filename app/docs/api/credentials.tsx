'use client';

import { useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { subscribeToVisitor, updateVisitor, visitor } from './visitor.ts';

/** The reader's own sandbox credentials for trials; they leave the page only with each request. */
export function Credentials() {
  const { merchantId, token } = useSyncExternalStore(subscribeToVisitor, visitor, visitor);
  const id = useId();
  const fields = useRef<HTMLDivElement>(null);
  // React does not know what was typed before the script loaded.
  useEffect(() => {
    const [merchant, key] = fields.current?.querySelectorAll('input') ?? [];
    if (!merchant || !key) return;
    updateVisitor({ merchantId: merchant.value.trim(), token: key.value.trim() });
  }, []);
  return (
    <div ref={fields} className="needs-script grid gap-4 sm:grid-cols-2">
      <div>
        <label htmlFor={`${id}-merchant`} className="field-label">
          Merchant ID
        </label>
        <input
          id={`${id}-merchant`}
          className="field-input"
          placeholder="mer_…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={merchantId}
          onChange={(event) => updateVisitor({ merchantId: event.target.value.trim() })}
        />
      </div>
      <div>
        <label htmlFor={`${id}-token`} className="field-label">
          Sandbox token
        </label>
        <input
          id={`${id}-token`}
          className="field-input"
          type="password"
          placeholder="gw_sandbox_…"
          autoComplete="off"
          value={token}
          onChange={(event) => updateVisitor({ token: event.target.value.trim() })}
        />
      </div>
    </div>
  );
}

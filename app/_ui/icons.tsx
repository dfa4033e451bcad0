import type { ReactNode } from 'react';

type IconProps = { className?: string };

// Decoration only: the text beside an icon says what it means.
function Icon({ className = 'size-5', children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      className={className}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

export function CheckIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Icon>
  );
}

export function CrossIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m7 7 10 10M17 7 7 17" />
    </Icon>
  );
}

export function PlusIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 5v14M5 12h14" />
    </Icon>
  );
}

export function CopyIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="9" y="9" width="11" height="11" rx="2" />
      <path d="M5 15a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2" />
    </Icon>
  );
}

export function ClockIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5V12l3 2" />
    </Icon>
  );
}

export function AlertIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M12 8v5M12 16.5v.01" />
      <circle cx="12" cy="12" r="8.5" />
    </Icon>
  );
}

export function LockIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <rect x="5" y="11" width="14" height="9" rx="2" />
      <path d="M8 11V8a4 4 0 0 1 8 0v3" />
    </Icon>
  );
}

export function ChevronIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="m7 10 5 5 5-5" />
    </Icon>
  );
}

export function ArrowLeftIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M19 12H5m6-6-6 6 6 6" />
    </Icon>
  );
}

export function FlaskIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <path d="M10 4v5.5L5 18.200A1.2 1.2 0 0 0 6 20h12a1.2 1.2 0 0 0 1-1.800L14 9.5V4M8.5 4h7M7.5 15h9" />
    </Icon>
  );
}

export function SearchIcon(props: IconProps) {
  return (
    <Icon {...props}>
      <circle cx="11" cy="11" r="6.5" />
      <path d="m16 16 4 4" />
    </Icon>
  );
}

const CHART = 'M5 20v-7M12 20V4M19 20V9';
const SCREENS: Record<string, string> = {
  sandbox: CHART,
  production: CHART,
  overview: CHART,
  new: 'M12 8v8M8 12h8M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17',
  invoices: 'M6 3h8l4 4v14H6zM14 3v4h4M9.5 12h5M9.5 16h5',
  links:
    'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
  register: 'M4 6h16v14H4zM4 10.5h16M8 3.5v4M16 3.5v4M8 14h8M8 17h5',
  callbacks: 'M3 12h12M10.5 7l5 5-5 5M20 5v14',
  'payment-methods': 'M3 6h18v12H3zM3 10.5h18M6.5 14.5h4',
  developers: 'm8 7-5 5 5 5M16 7l5 5-5 5',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M3 20a6 6 0 0 1 12 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18.5 14.8A6 6 0 0 1 21 20',
  'audit-log': 'M9 6h11M9 12h11M9 18h11M4.5 6v.01M4.5 12v.01M4.5 18v.01',
  settings:
    'M4 8h9M17 8h3M4 16h3M11 16h9M15 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4M9 18a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M5 20a7 7 0 0 1 14 0',
  acquirers: 'M3 9.5 12 4l9 5.5zM5.5 9.5V17M10 9.5V17M14 9.5V17M18.5 9.5V17M3 20h18',
  merchants: 'M4.5 10v10h15V10M3 10l2-6h14l2 6zM10 20v-5.5h4V20',
  operator: 'M12 3.5 4.5 6.5v5c0 4.5 3 7.5 7.5 9 4.5-1.5 7.5-4.5 7.5-9v-5z',
};

/** The icon of a screen in the navigation, by the last part of its address. */
export function ScreenIcon({ name, ...props }: IconProps & { name: string }) {
  return (
    <Icon {...props}>
      <path d={SCREENS[name]} />
    </Icon>
  );
}

/** Turns until the page changes; still under reduced motion. */
export function Spinner({ className = 'size-5' }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      className={`animate-[spin_900ms_linear_infinite] ${className}`}
      viewBox="0 0 24 24"
      fill="none"
    >
      <path
        d="m12 2 3 3h4v4l3 3-3 3v4h-4l-3 3-3-3H5v-4l-3-3 3-3V5h4z"
        stroke="currentColor"
        strokeOpacity="0.3"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path
        d="m12 2 3 3h4v4l3 3"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

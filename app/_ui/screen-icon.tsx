// These stand apart from the other icons, so that no buyer loads them.
import { Icon, type IconProps } from './icons.tsx';

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

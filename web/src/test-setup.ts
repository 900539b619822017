import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// How long something may take says nothing on a busy machine: the limits only end what would never end.
configure({ asyncUtilTimeout: 40_000 });

afterEach(cleanup);

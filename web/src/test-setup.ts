import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// A busy machine draws the first screen of a file slowly.
configure({ asyncUtilTimeout: 5_000 });

afterEach(cleanup);

-- Returns how many sessions have not expired.
return {redis.call('ZCOUNT', p .. 'acted', '(' .. string.format('%d', now - keep), '+inf')}

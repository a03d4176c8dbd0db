vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, { pattern = "*.apns", command = "setfiletype json" })
